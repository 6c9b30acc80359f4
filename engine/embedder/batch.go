package embedder

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/internal/retryafter"
)

// A batch is the texts of one request and what became of each.
type batch struct {
	texts   []string
	dims    int // that vectors must have; 0 until the first one came
	vectors []embed.Vector
	errs    []error
}

func newBatch(texts []string, dims int) *batch {
	return &batch{texts: texts, dims: dims, vectors: make([]embed.Vector, len(texts)), errs: make([]error, len(texts))}
}

// firstError returns why a text has no vector, nil when all have one.
func (b *batch) firstError() error {
	for i, v := range b.vectors {
		if len(v) == 0 {
			if b.errs[i] == nil {
				return errMissing
			}
			return b.errs[i]
		}
	}
	return nil
}

// open returns the texts that have neither a vector nor an error yet.
func (b *batch) open() []int {
	var open []int
	for i, v := range b.vectors {
		if len(v) == 0 && b.errs[i] == nil {
			open = append(open, i)
		}
	}
	return open
}

// fail notes why the texts have no vector.
func (b *batch) fail(texts []int, err error) {
	for _, i := range texts {
		b.errs[i] = err
	}
}

// fill asks the endpoint until every text of the batch has a vector or an error. What an answer left out is asked for
// again.
func (r *Remote) fill(ctx context.Context, b *batch) {
	for retry := range r.options.Attempts {
		open := b.open()
		if len(open) == 0 {
			return
		}
		after, err := r.ask(ctx, b, open)
		last := retry == r.options.Attempts-1
		switch {
		case err == nil && len(b.open()) == 0:
			return
		case err == nil && last:
			b.fail(b.open(), fmt.Errorf("%w in each of %d answers", errMissing, r.options.Attempts))
			return
		case err != nil && refusedText(err):
			r.divide(ctx, b, open, err)
			return
		case err != nil && (last || !transient(ctx, err) || after.value > retryafter.Longest):
			b.fail(open, r.explain(ctx, err))
			return
		}
		if err := r.wait(ctx, r.delay(retry, after.value)); err != nil {
			b.fail(b.open(), err)
			return
		}
	}
}

// divide asks for the halves of a request that was refused because of what it holds, to find the text that is to blame.
func (r *Remote) divide(ctx context.Context, b *batch, open []int, cause error) {
	if len(open) == 1 {
		b.fail(open, r.explain(ctx, cause))
		return
	}
	for _, half := range [][]int{open[:len(open)/2], open[len(open)/2:]} {
		part := newBatch(nil, b.dims)
		for _, i := range half {
			part.texts = append(part.texts, b.texts[i])
		}
		part.vectors, part.errs = make([]embed.Vector, len(half)), make([]error, len(half))
		r.fill(ctx, part)
		for k, i := range half {
			b.vectors[i], b.errs[i] = part.vectors[k], part.errs[k]
		}
	}
}

// ask sends one request for the texts and files what comes back.
func (r *Remote) ask(ctx context.Context, b *batch, texts []int) (retryAfter, error) {
	if err := r.pace.next(ctx, r.wait); err != nil {
		return retryAfter{}, err
	}
	input := make([]string, len(texts))
	for k, i := range texts {
		input[k] = b.texts[i]
	}
	var after retryAfter
	attempt, cancel := context.WithTimeout(withRetryAfter(ctx, &after), r.options.Timeout)
	defer cancel()
	response, err := r.client.CreateEmbeddings(attempt, openai.EmbeddingRequestStrings{
		Input: input, Model: openai.EmbeddingModel(r.options.Model), Dimensions: r.options.Dimensions,
		EncodingFormat: openai.EmbeddingEncodingFormatFloat,
	})
	if err != nil {
		return after, err
	}
	return after, b.file(texts, response.Data)
}

// file takes the vectors of an answer to a request for the texts.
func (b *batch) file(texts []int, data []openai.Embedding) error {
	if len(data) > len(texts) {
		return fmt.Errorf("%d vectors for %d texts", len(data), len(texts))
	}
	inOrder := unnumbered(data) // servers that leave the index out answer in order
	if inOrder && len(data) != len(texts) {
		return fmt.Errorf("%d vectors without an index for %d texts", len(data), len(texts))
	}
	for k, e := range data {
		at := e.Index
		if inOrder {
			at = k
		}
		if at < 0 || at >= len(texts) {
			return fmt.Errorf("a vector for text %d of %d", at, len(texts))
		}
		b.take(texts[at], e.Embedding)
	}
	return nil
}

// unnumbered reports whether several vectors all have the index 0.
func unnumbered(data []openai.Embedding) bool {
	for _, e := range data {
		if e.Index != 0 {
			return false
		}
	}
	return len(data) > 1
}

// take judges one vector.
func (b *batch) take(i int, values []float32) {
	if b.dims == 0 {
		b.dims = len(values)
	}
	switch {
	case len(values) != b.dims:
		b.errs[i] = fmt.Errorf("%w: %d, want %d: set embeddings.dimensions to what the model gives, or embed the index again", errDimensions, len(values), b.dims)
	case len(values) > 0:
		if b.vectors[i] = quantise(values); b.vectors[i] == nil {
			b.errs[i] = errors.New("the embedding endpoint gave a vector of zeros or of something that is no number")
		}
	}
}

// quantise returns the vector in the range of an embed.Vector; nil when it is all zeros or holds NaN or an infinity.
func quantise(values []float32) embed.Vector {
	largest := 0.0
	for _, x := range values {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return nil
		}
		largest = max(largest, math.Abs(float64(x)))
	}
	if largest == 0 {
		return nil
	}
	v := make(embed.Vector, len(values))
	for i, x := range values {
		v[i] = int8(math.Round(float64(x) / largest * 127))
	}
	return v
}

// refusedText reports whether the endpoint refused what a text holds, as one that is too long.
func refusedText(err error) bool {
	status := statusOf(err)
	return status == http.StatusBadRequest || status == http.StatusRequestEntityTooLarge || status == http.StatusUnprocessableEntity
}

// transient reports whether another attempt may succeed: anything but a refusal that will stay one, or the caller's own
// end of patience.
func transient(ctx context.Context, err error) bool {
	status := statusOf(err)
	return ctx.Err() == nil && (status < 400 || status == http.StatusRequestTimeout || status == http.StatusTooManyRequests || status >= 500)
}

// statusOf returns the HTTP status of an error, 0 when there was none or the answer could not be read.
func statusOf(err error) int {
	var api *openai.APIError
	var request *openai.RequestError
	switch {
	case errors.As(err, &api):
		return api.HTTPStatusCode
	case errors.As(err, &request):
		return request.HTTPStatusCode
	}
	return 0
}

// explain returns the error with a way out, and without the key, which some endpoints repeat.
func (r *Remote) explain(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("embed with %s: %w", r.options.Model, ctx.Err())
	}
	hint := "is the endpoint running, and is the base URL right?"
	switch status := statusOf(err); {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		hint = "check the API key"
	case status == http.StatusNotFound:
		hint = "check the base URL and the name of the model"
	case status == http.StatusTooManyRequests:
		hint = "set a lower rate limit, or check the account's quota"
	case refusedText(err):
		hint = "a text may be too long for the model"
	case errors.Is(err, context.DeadlineExceeded):
		hint = fmt.Sprintf("it took longer than %s: use smaller batches or a longer timeout", r.options.Timeout)
	}
	return &endpointError{text: r.hideKey(fmt.Sprintf("embed with %s: %v: %s", r.options.Model, err, hint)), cause: err}
}

func (r *Remote) hideKey(s string) string {
	if len(r.options.APIKey) < 4 {
		return s
	}
	return strings.ReplaceAll(s, r.options.APIKey, "***")
}

// An endpointError has a text without secrets.
type endpointError struct {
	text  string
	cause error
}

func (e *endpointError) Error() string { return e.text }
func (e *endpointError) Unwrap() error { return e.cause }
