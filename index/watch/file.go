package watch

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/fsnotify/fsnotify"
)

// File calls changed, from one goroutine, after a file was written or another one took its place, until ctx ends. The file need
// not be there yet, its folder must be.
func File(ctx context.Context, path string, changed func()) error {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("watch %s: %w", path, err)
	}
	if err := w.Add(filepath.Dir(path)); err != nil {
		_ = w.Close()
		return fmt.Errorf("watch %s: %w", path, err)
	}
	go func() {
		defer w.Close()
		for {
			select {
			case <-ctx.Done():
				return
			case event, ok := <-w.Events:
				if !ok {
					return
				}
				if filepath.Clean(event.Name) == filepath.Clean(path) && event.Has(fsnotify.Create|fsnotify.Write) {
					changed()
				}
			case _, ok := <-w.Errors:
				if !ok {
					return
				}
				changed() // events may have been lost
			}
		}
	}()
	return nil
}
