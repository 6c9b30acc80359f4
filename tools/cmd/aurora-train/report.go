package main

import (
	"bytes"
	"fmt"
	"time"

	"github.com/aurora-sidecar/aurora/tools/cmd/aurora-train/internal/corpus"
	"github.com/aurora-sidecar/aurora/tools/cmd/aurora-train/internal/fit"
)

// A report is what is said of one run of training.
type report struct {
	set          fit.Settings
	repositories []corpus.Repository
	vocabulary   *fit.Vocabulary
	steps        []fit.Step
	began        time.Time
	id           string
	bytes        int
}

// markdown returns the report as a page.
func (r *report) markdown() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Training of %s\n\n", r.id)
	fmt.Fprintf(&b, "%d tokens of %d dimensions in %d bytes; they cover %.1f %% of all occurrences. Seed %d, batches of %d, %d epochs, %s.\n\n",
		len(r.vocabulary.Hashes), r.set.Dimensions, r.bytes, 100*r.vocabulary.Coverage, r.set.Seed, r.set.Batch, r.set.Epochs,
		time.Since(r.began).Round(time.Second))
	r.pairs(&b)
	r.losses(&b)
	return b.Bytes()
}

// pairs writes how many pairs there are of each kind and in each repository.
func (r *report) pairs(b *bytes.Buffer) {
	var total [corpus.NumKinds]int
	for _, repository := range r.repositories {
		for _, p := range repository.Pairs {
			total[p.Kind]++
		}
	}
	b.WriteString("| kind | pairs |\n|---|---|\n")
	for kind, n := range total {
		fmt.Fprintf(b, "| %s | %d |\n", corpus.Kinds[kind], n)
	}
	b.WriteString("\n| repository | pairs |\n|---|---|\n")
	for _, repository := range r.repositories {
		fmt.Fprintf(b, "| %s | %d |\n", repository.Name, len(repository.Pairs))
	}
}

// losses writes the loss curve, one point in ten.
func (r *report) losses(b *bytes.Buffer) {
	b.WriteString("\n| step | loss |\n|---|---|\n")
	for i, s := range r.steps {
		if i%10 == 9 || i == 0 || i == len(r.steps)-1 {
			fmt.Fprintf(b, "| %d | %.4f |\n", s.Number, s.Loss)
		}
	}
}
