package semantic

import (
	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/memory"
)

// AsCode returns the cosines of a question with what records say, by the model of code in the program. It takes some microseconds a record.
func AsCode(question string, records []memory.Record) []float64 {
	model, err := embed.Default()
	if err != nil {
		return nil // search by meaning has said so
	}
	cosines := make([]float64, len(records))
	asked, vector := model.Vector([]byte(question)), embed.Vector(nil)
	for i := range records {
		vector = model.AppendVector(vector[:0], recordText(memory.RecordText{Title: records[i].Title, Content: records[i].Content}))
		cosines[i] = cosine(asked, vector)
	}
	return cosines
}
