package history

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/aurora-sidecar/aurora/internal/atrest"
)

// Convert encrypts all records, or makes them plain, as the store's policy says; those that are so already are left. A file
// that fails is left as it is, and told in the error.
func (s *Store) Convert(ctx context.Context) (converted int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids, err := s.ids()
	if err != nil {
		return 0, err
	}
	var errs []error
	for _, id := range ids {
		for _, ending := range []string{suffix, sealedSuffix} {
			if err := ctx.Err(); err != nil {
				return converted, err
			}
			changed, err := s.policy.Convert(filepath.Join(s.dir, id+ending))
			if err != nil {
				errs = append(errs, err)
			} else if changed {
				converted++
			}
		}
	}
	return converted, errors.Join(append(errs, atrest.RemoveUnfinished(s.dir))...)
}

// Forms counts the records that are plain and encrypted.
func (s *Store) Forms() (plain, encrypted int, err error) {
	ids, err := s.ids()
	for _, id := range ids {
		if _, err := os.Lstat(filepath.Join(s.dir, id+sealedSuffix)); err == nil {
			encrypted++
		} else {
			plain++
		}
	}
	return plain, encrypted, err
}
