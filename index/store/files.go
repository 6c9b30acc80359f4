package store

import (
	"context"
	"database/sql"
	"fmt"
)

// A FileID names a file of the workspace.
type FileID struct {
	Folder string // workspace folder, absolute
	Path   string // relative to Folder, with '/'
}

// A FileRow is what the store knows of one file.
type FileRow struct {
	FileID
	Size        int64    // bytes
	MTimeNS     int64    // modification time, nanoseconds since 1970
	Hash        [32]byte // SHA-256 of the text
	Language    string
	IndexedAtMS int64 // set by Apply
}

// LoadFiles returns every file of the workspace folder, in order of path.
func (s *Store) LoadFiles(ctx context.Context, folder string) ([]FileRow, error) {
	var files []FileRow
	err := s.with(func(db *sql.DB) (err error) {
		files, err = loadFiles(ctx, db, folder)
		return err
	})
	return files, wrap("load files", err)
}

func loadFiles(ctx context.Context, db *sql.DB, folder string) ([]FileRow, error) {
	rows, err := db.QueryContext(ctx, `SELECT path, size, mtime_ns, hash, language, indexed_at_ms
		FROM files WHERE folder = ? ORDER BY path`, folder)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()

	var files []FileRow
	languages := map[string]string{} // one string for each
	var hash, language sql.RawBytes
	for rows.Next() {
		f := FileRow{FileID: FileID{Folder: folder}}
		if err := rows.Scan(&f.Path, &f.Size, &f.MTimeNS, &hash, &language, &f.IndexedAtMS); err != nil {
			return nil, err
		}
		if len(hash) != len(f.Hash) {
			return nil, fmt.Errorf("row of %s: hash of %d bytes: %w", f.Path, len(hash), ErrDamaged)
		}
		copy(f.Hash[:], hash)
		if f.Language = languages[string(language)]; f.Language == "" {
			f.Language = string(language)
			languages[f.Language] = f.Language
		}
		files = append(files, f)
	}
	return files, rows.Err()
}

// CountFiles returns how many files of the workspace folder the store knows.
func (s *Store) CountFiles(ctx context.Context, folder string) (n int, err error) {
	err = s.with(func(db *sql.DB) error {
		return db.QueryRowContext(ctx, "SELECT count(*) FROM files WHERE folder = ?", folder).Scan(&n)
	})
	return n, wrap("count files", err)
}
