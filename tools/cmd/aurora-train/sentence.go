package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/aurora-sidecar/aurora/index/embed/sentence"
	"github.com/aurora-sidecar/aurora/tools/cmd/aurora-train/internal/corpus"
)

// convertSentence writes a sentence transformer in the program's form, with the subwords that prose about code has.
func convertSentence(args []string) error {
	flags := flag.NewFlagSet("aurora-train sentence", flag.ContinueOnError)
	folder := flags.String("model", "all-MiniLM-L6-v2", "folder with model.safetensors, config.json and tokenizer.json")
	out := flags.String("o", "sentence.bin", "model to write")
	positions := flags.Int("positions", 128, "most subwords of a text")
	least := flags.Int("least", 2, "times that a subword of several letters occurs in the repositories' prose")
	like := flags.String("like", "", "model in the program's form whose subwords are kept, in place of those of repositories")
	workers := workersFlag(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	source, err := readSentence(*folder, *positions)
	if err != nil {
		return err
	}
	if *like != "" {
		if err := keepLike(source, *like); err != nil {
			return err
		}
	}
	if flags.NArg() > 0 {
		if err := keepSeen(source, flags.Args(), *least, *workers); err != nil {
			return err
		}
	}
	data, err := sentence.Write(source)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%d of %d subwords, %d bytes\n", len(source.Kept), len(source.Subwords), len(data))
	return os.WriteFile(*out, data, 0o644)
}

// keepLike leaves the subwords that another model has.
func keepLike(source *sentence.Source, file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	model, err := sentence.Open(data)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	kept := source.Kept[:3:3]
	for _, i := range source.Kept[3:] {
		if model.Has(source.Subwords[i]) {
			kept = append(kept, i)
		}
	}
	source.Kept = kept
	return nil
}

// keepSeen leaves only the subwords that occur in prose, and those of one letter, of which the others can be made.
func keepSeen(source *sentence.Source, repositories []string, least, workers int) error {
	full, err := sentence.Write(source)
	if err != nil {
		return err
	}
	model, err := sentence.Open(full)
	if err != nil {
		return err
	}
	texts, err := corpus.Prose(repositories, workers)
	if err != nil {
		return err
	}
	seen := map[string]int{}
	for _, text := range texts {
		for _, subword := range model.Subwords(text) {
			seen[subword]++
		}
	}
	rest := slices.DeleteFunc(slices.Clone(source.Kept[3:]), func(i int) bool {
		subword := source.Subwords[i]
		return seen[subword] < least && len(subword) > 1 && (len(subword) != 3 || subword[:2] != "##")
	})
	source.Kept = append(source.Kept[:3:3], rest...)
	return nil
}

// readSentence reads a BERT as sentence-transformers keeps it.
func readSentence(folder string, positions int) (*sentence.Source, error) {
	var config struct {
		Width  int `json:"hidden_size"`
		Inner  int `json:"intermediate_size"`
		Heads  int `json:"num_attention_heads"`
		Layers int `json:"num_hidden_layers"`
	}
	var words struct {
		Model struct {
			Vocab map[string]int `json:"vocab"`
		} `json:"model"`
	}
	err := errors.Join(readJSON(filepath.Join(folder, "config.json"), &config), readJSON(filepath.Join(folder, "tokenizer.json"), &words))
	if err != nil {
		return nil, err
	}
	s := &sentence.Source{
		Shape:    sentence.Shape{Width: config.Width, Layers: config.Layers, Heads: config.Heads, Inner: config.Inner, Positions: positions},
		Subwords: make([]string, len(words.Model.Vocab)),
	}
	for subword, i := range words.Model.Vocab {
		if i < 0 || i >= len(s.Subwords) {
			return nil, fmt.Errorf("read %s: subword %q has number %d of %d", folder, subword, i, len(s.Subwords))
		}
		s.Subwords[i] = subword
	}
	for _, subword := range []string{"[CLS]", "[SEP]", "[UNK]"} {
		s.Kept = append(s.Kept, words.Model.Vocab[subword])
	}
	for i, subword := range s.Subwords {
		if !slices.Contains(s.Kept[:3], i) && (subword[0] != '[' || len(subword) == 1) {
			s.Kept = append(s.Kept, i)
		}
	}
	s.Tensor, err = readTensors(filepath.Join(folder, "model.safetensors"))
	return s, err
}

func readJSON(file string, into any) error {
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	return err
}

// readTensors reads a file of safetensors: the length of a JSON header, the header, and the numbers.
func readTensors(file string) (func(name string) []float32, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if len(data) < 8 || binary.LittleEndian.Uint64(data) > uint64(len(data)-8) {
		return nil, fmt.Errorf("%s is no file of safetensors", file)
	}
	numbers := data[8+binary.LittleEndian.Uint64(data):]
	var head map[string]struct {
		Type    string `json:"dtype"`
		Offsets [2]int `json:"data_offsets"`
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data[8:len(data)-len(numbers)], &raw); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	delete(raw, "__metadata__")
	all, err := json.Marshal(raw)
	if err == nil {
		err = json.Unmarshal(all, &head)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return func(name string) []float32 {
		t := head[name]
		if t.Type != "F32" || t.Offsets[0] < 0 || t.Offsets[1] > len(numbers) || t.Offsets[0] > t.Offsets[1] {
			return nil
		}
		b := numbers[t.Offsets[0]:t.Offsets[1]]
		v := make([]float32, len(b)/4)
		for i := range v {
			v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		}
		return v
	}, nil
}
