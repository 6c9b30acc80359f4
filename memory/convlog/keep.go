package convlog

import (
	"compress/gzip"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Kept tells what Keep did.
type Kept struct {
	Compressed, Deleted int
	Bytes               int64 // of all conversations that are left
}

// ManyBytes is from how many bytes on it is worth thinking about how long conversations are kept.
const ManyBytes = 1 << 30

// KeepOncePerDay is Keep when it was not called on this day yet; else it does nothing.
func (b *Book) KeepOncePerDay(ctx context.Context) (Kept, error) {
	today := b.opts.Now().Format(time.DateOnly)
	b.keptMu.Lock()
	defer b.keptMu.Unlock()
	if b.kept == today {
		return Kept{}, nil
	}
	kept, err := b.Keep(ctx)
	if err == nil {
		b.kept = today
	}
	return kept, err
}

// Keep deletes conversations that are older than the retention and compresses those older than compressDays. It
// touches only files that are named like a conversation and begin like one. A file that fails is left for the next time; the
// error says which ones did.
func (b *Book) Keep(ctx context.Context) (Kept, error) {
	files, err := b.Files(ctx, Span{})
	if err != nil {
		return Kept{}, err
	}
	var kept Kept
	var errs []error
	today := b.opts.Now()
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return kept, err
		}
		age := daysBetween(f.Date, today)
		old := b.opts.RetentionDays > 0 && age > b.opts.RetentionDays
		idle := age > compressDays && !f.Compressed
		if (old || idle) && b.own(f) {
			if old {
				err = ignoreGone(os.Remove(f.Path))
			} else {
				err = compress(f)
			}
			switch {
			case err != nil:
				errs = append(errs, err)
			case old:
				kept.Deleted++
				_ = os.Remove(filepath.Dir(f.Path)) // the folder of the month, once it is empty
				continue
			default:
				kept.Compressed++
			}
		}
		kept.Bytes += f.Size
	}
	return kept, errors.Join(errs...)
}

// own tells a conversation from other Markdown files that somebody keeps there.
func (b *Book) own(f File) bool {
	base := strings.TrimSuffix(bare(filepath.Base(f.Path)), ".md")
	if !datedName.MatchString(base) {
		return false
	}
	text, err := b.Text(f, 512)
	text = strings.TrimLeft(text, "\uFEFF \t\r\n")
	return err == nil && (strings.HasPrefix(text, "# Conversation:") || strings.HasPrefix(text, "## Query:") ||
		strings.HasPrefix(text, "---") && strings.Contains(text, "## Query:"))
}

// compress puts a compressed copy in the place of a file. The numbers of its lines stay what they were.
func compress(f File) (err error) {
	text, err := os.ReadFile(f.Path)
	if err != nil {
		return ignoreGone(err)
	}
	temp, err := os.CreateTemp(filepath.Dir(f.Path), ".conversation-*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	w := gzip.NewWriter(temp)
	_, err = w.Write(text)
	if err := errors.Join(err, w.Close(), temp.Close(), os.Chtimes(temp.Name(), f.ModTime, f.ModTime)); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), f.Path+".gz"); err != nil { // another process may have written the same
		return err
	}
	return ignoreGone(os.Remove(f.Path))
}

func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// daysBetween counts days by the calendar.
func daysBetween(from, to time.Time) int {
	utc := func(t time.Time) time.Time {
		y, m, d := t.Date()
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	}
	return int(utc(to).Sub(utc(from)) / (24 * time.Hour))
}
