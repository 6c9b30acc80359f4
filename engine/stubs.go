package engine

import (
	"context"
	"errors"

	"github.com/aurora-sidecar/aurora/index"
)

var errStub = errors.New("engine: being written")

func (e *Engine) Search(ctx context.Context, r SearchRequest) (*SearchResult, error) {
	return nil, errStub
}
func (e *Engine) Symbols(ctx context.Context, query string, limit int) (*SearchResult, error) {
	return nil, errStub
}
func (e *Engine) Hover(ctx context.Context, p Place) (*HoverResult, error)   { return nil, errStub }
func (e *Engine) Actions(ctx context.Context, s Selection) ([]Action, error) { return nil, errStub }
func (e *Engine) Context(ctx context.Context, r ContextRequest) (*ContextResult, error) {
	return nil, errStub
}
func (e *Engine) Query(ctx context.Context, r QueryRequest, sink func(Progress)) (*QueryResult, error) {
	return nil, errStub
}
func (e *Engine) Related(ctx context.Context, r RelatedRequest) (*RelatedResult, error) {
	return nil, errStub
}
func (e *Engine) Remember(ctx context.Context, r RememberRequest) (id string, created bool, err error) {
	return "", false, errStub
}
func (e *Engine) Forget(ctx context.Context, ids []string) (int, error) { return 0, errStub }
func (e *Engine) Use(ctx context.Context, ids []string, action string, value float64) error {
	return errStub
}
func (e *Engine) Refresh(ctx context.Context, paths []string, force bool) (index.JobInfo, error) {
	return index.JobInfo{}, errStub
}
func (e *Engine) Status(ctx context.Context) (*Status, error) { return nil, errStub }
