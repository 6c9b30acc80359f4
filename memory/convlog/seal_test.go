package convlog

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/internal/atrest"
)

func newKeys(t *testing.T) *atrest.Keys {
	t.Helper()
	k, err := atrest.Generate()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// with is the same book under another policy.
func (b *Book) with(p atrest.Policy) *Book {
	opts := b.opts
	opts.Encryption = p
	return New(opts)
}

func TestEncryptedConversations(t *testing.T) {
	keys := newKeys(t)
	plain := newBook(t, noon)
	sealed := plain.with(atrest.Policy{Enabled: true, Keys: keys})
	locked := plain.with(atrest.Policy{Enabled: true, NoKeys: errors.Join(atrest.ErrNoKey, errors.New("it is in the other coat"))})
	write(t, plain, Entry{Query: "Implement OAuth2 authentication", At: noon, ID: "aurora-20251213-143215-aaaaaa"})
	c := write(t, sealed, Entry{Query: "Fix database migration issue", At: noon, ID: "aurora-20251213-143215-bbbbbb"})
	if c.File.Name != "2025/12/query-1-2025-12-13.md" || !strings.HasSuffix(c.File.Path, ".md.gz.age") || strings.Contains(read(t, c.File.Path), "database") {
		t.Errorf("%+v", c.File)
	}
	if _, err := locked.Write(Entry{Query: "never written", At: noon}); !errors.Is(err, atrest.ErrNoKey) || !strings.Contains(err.Error(), "other coat") {
		t.Errorf("without a key: %v", err)
	}
	for name, b := range map[string]*Book{"the one that encrypts": sealed, "one that does not": plain.with(atrest.Policy{Keys: keys})} {
		for _, words := range []string{"OAuth2", "migration"} {
			if found, err := b.Search(t.Context(), words, Span{}, 9); len(found) == 0 || err != nil {
				t.Errorf("%s: %q: %v", name, words, err)
			}
		}
		for _, id := range []string{"aurora-20251213-143215-bbbbbb", "query-1-2025-12-13", c.File.Path, "2025/12/query-1-2025-12-13.md"} {
			f, err := b.Find(t.Context(), id)
			if err != nil || f.Path != c.File.Path {
				t.Fatalf("%s: %s: %+v, %v", name, id, f, err)
			}
			if got, err := b.Read(f); err != nil || got.Query != "Fix database migration issue" {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if found, err := locked.Search(t.Context(), "OAuth2", Span{}, 9); len(found) == 0 || err != nil {
		t.Errorf("what is plain is found: %v", err)
	}
	if _, err := locked.Search(t.Context(), "migration", Span{}, 9); !errors.Is(err, atrest.ErrNoKey) {
		t.Errorf("what is locked says so: %v", err)
	}
	if _, err := plain.with(atrest.Policy{Keys: newKeys(t)}).Search(t.Context(), "migration", Span{}, 9); !errors.Is(err, atrest.ErrNoKey) && !errors.Is(err, atrest.ErrWrongKey) {
		t.Errorf("another key: %v", err)
	}
}

func TestConvertConversations(t *testing.T) {
	first, second := newKeys(t), newKeys(t)
	b := newBook(t, noon)
	for range 3 {
		write(t, b, Entry{Query: "Implement OAuth2 authentication", At: noon})
	}
	put(t, b, "2025/12/notes.txt", "not a conversation")
	names := func(b *Book) string {
		files, err := b.Files(context.Background(), Span{})
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, f := range files {
			all = append(all, f.Name+" "+f.ModTime.Format(time.RFC3339Nano))
		}
		return strings.Join(all, "\n")
	}
	before := names(b)
	for i, step := range []struct {
		policy           atrest.Policy
		converted, plain int
	}{
		{atrest.Policy{Enabled: true, Keys: first}, 3, 0},
		{atrest.Policy{Enabled: true, Keys: first}, 0, 0},
		{atrest.Policy{Enabled: true, Keys: second.With(first)}, 3, 0},
		{atrest.Policy{Keys: second}, 3, 3},
	} {
		b := b.with(step.policy)
		converted, err := b.Convert(t.Context())
		if converted != step.converted || err != nil {
			t.Errorf("step %d: %d, %v", i, converted, err)
		}
		plain, sealed, err := b.Forms(t.Context())
		if plain != step.plain || plain+sealed != 3 || err != nil {
			t.Errorf("step %d: %d plain, %d encrypted, %v", i, plain, sealed, err)
		}
		if got := names(b); got != before { // the index knows them by name and time
			t.Errorf("step %d:\n%s\nnot\n%s", i, got, before)
		}
	}
	if _, err := b.with(atrest.Policy{Enabled: true}).Convert(t.Context()); !errors.Is(err, atrest.ErrNoKey) {
		t.Errorf("without a key: %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(b.Dir(), "2025/12/.*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}
