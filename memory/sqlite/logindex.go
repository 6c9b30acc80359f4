package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/memory"
)

var _ memory.LogIndex = (*Store)(nil)

const usualLogs = 5

// logIndex is where conversations say what.
type logIndex struct{ *database }

// IndexLog implements memory.LogIndex.
func (x logIndex) IndexLog(ctx context.Context, f memory.LoggedFile) error {
	err := x.write(ctx, func(tx tx) error {
		if err := unindex(ctx, tx, f.File); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO log_files (file, stamp, topic, query, query_id, workspace, date_ms)
			VALUES (?, ?, ?, ?, ?, ?, ?)`, f.File, f.Stamp, f.Topic, f.Query, f.QueryID, f.Workspace, toMs(f.Date))
		if err != nil {
			return err
		}
		for _, section := range f.Sections {
			for _, keyword := range section.Keywords {
				_, err := tx.ExecContext(ctx, `INSERT INTO log_index
					(keyword, topic, file, section, line_start, line_end, phase, query_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
					strings.ToLower(keyword), f.Topic, f.File, section.Section, section.LineStart, section.LineEnd, section.Phase, f.QueryID)
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("index the conversation %s: %w", f.File, err)
	}
	return nil
}

func unindex(ctx context.Context, tx tx, file string) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM log_index WHERE file = ?`, file)
	_, other := tx.ExecContext(ctx, `DELETE FROM log_files WHERE file = ?`, file)
	return errors.Join(err, other)
}

// UnindexLogs implements memory.LogIndex.
func (x logIndex) UnindexLogs(ctx context.Context, files []string) error {
	err := x.write(ctx, func(tx tx) error {
		for _, file := range files {
			if err := unindex(ctx, tx, file); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("forget conversations: %w", err)
	}
	return nil
}

// LoggedFiles implements memory.LogIndex.
func (x logIndex) LoggedFiles(ctx context.Context) (map[string]string, error) {
	rows, err := x.db.QueryContext(ctx, `SELECT file, stamp FROM log_files`)
	if err != nil {
		return nil, fmt.Errorf("list indexed conversations: %w", err)
	}
	files := map[string]string{}
	err = each(rows, func() error {
		var file, stamp string
		err := rows.Scan(&file, &stamp)
		files[file] = stamp
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list indexed conversations: %w", err)
	}
	return files, nil
}

// LoggedSections counts the sections of conversations that can be found.
func (x logIndex) LoggedSections(ctx context.Context) (n int, err error) {
	if err := x.db.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT DISTINCT file, line_start FROM log_index)`).Scan(&n); err != nil {
		return 0, fmt.Errorf("count sections of conversations: %w", err)
	}
	return n, nil
}

// SearchLogs implements memory.LogIndex.
func (x logIndex) SearchLogs(ctx context.Context, q memory.LogQuery) ([]memory.LogHit, error) {
	hits, err := x.searchLogs(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("search conversations: %w", err)
	}
	return hits, nil
}

func (x logIndex) searchLogs(ctx context.Context, q memory.LogQuery) ([]memory.LogHit, error) {
	words := make([]string, len(q.Words))
	for i, w := range q.Words {
		words[i] = strings.ToLower(w)
	}
	phases := make([]string, len(q.Phases))
	for i, p := range q.Phases {
		phases[i] = fmt.Sprint(p)
	}
	rows, err := x.db.QueryContext(ctx, `SELECT i.keyword, i.file, i.section, i.line_start, i.line_end, i.phase,
			f.topic, f.query, f.query_id, f.date_ms
		FROM log_index i JOIN log_files f ON f.file = i.file
		WHERE i.keyword IN (SELECT value FROM json_each(?))
			AND (?2 = '[]' OR f.workspace = '' OR f.workspace IN (SELECT value FROM json_each(?2)))
			AND (?3 = '[]' OR CAST(i.phase AS TEXT) IN (SELECT value FROM json_each(?3)))`,
		jsonList(words), jsonList(q.Workspaces), jsonList(phases))
	if err != nil {
		return nil, err
	}
	found := foundSections{files: map[string]map[string]bool{}, sections: map[sectionKey]*memory.LogHit{}}
	if err := each(rows, func() error { return found.add(rows.Scan) }); err != nil {
		return nil, err
	}
	var all int
	if err := x.db.QueryRowContext(ctx, `SELECT count(*) FROM log_files`).Scan(&all); err != nil {
		return nil, err
	}
	hits := found.best(all)
	return hits[:min(len(hits), cmp.Or(max(0, q.Limit), usualLogs))], nil
}

// foundSections gathers the rows of the index by section.
type foundSections struct {
	files    map[string]map[string]bool // by keyword: files that have it
	sections map[sectionKey]*memory.LogHit
}

type sectionKey struct {
	file string
	line int
}

func (f *foundSections) add(scan func(...any) error) error {
	var keyword string
	var hit memory.LogHit
	var date int64
	err := scan(&keyword, &hit.File, &hit.Section, &hit.LineStart, &hit.LineEnd, &hit.Phase, &hit.Topic, &hit.Query, &hit.QueryID, &date)
	if err != nil {
		return err
	}
	hit.Date = fromMs(date)
	key := sectionKey{hit.File, hit.LineStart}
	if f.sections[key] == nil {
		f.sections[key] = &hit
	}
	if section := f.sections[key]; !slices.Contains(section.Matched, keyword) {
		section.Matched = append(section.Matched, keyword)
	}
	if f.files[keyword] == nil {
		f.files[keyword] = map[string]bool{}
	}
	f.files[keyword][hit.File] = true
	return nil
}

// best returns the best section of each file; of equals the later phase, which knows more, and the later conversation.
func (f *foundSections) best(all int) []memory.LogHit {
	byFile := map[string]*memory.LogHit{}
	for _, hit := range f.sections {
		for _, keyword := range hit.Matched {
			hit.Score += math.Log(1 + float64(all)/float64(len(f.files[keyword])))
		}
		slices.Sort(hit.Matched)
		best := byFile[hit.File]
		if best == nil || cmp.Or(cmp.Compare(hit.Score, best.Score), cmp.Compare(hit.Phase, best.Phase), cmp.Compare(best.LineStart, hit.LineStart)) > 0 {
			byFile[hit.File] = hit
		}
	}
	hits := make([]memory.LogHit, 0, len(byFile))
	for _, hit := range byFile {
		hits = append(hits, *hit)
	}
	slices.SortFunc(hits, func(a, b memory.LogHit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), b.Date.Compare(a.Date), cmp.Compare(a.File, b.File))
	})
	return hits
}
