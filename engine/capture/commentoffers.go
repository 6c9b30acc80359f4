package capture

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/index"
)

// maxCommented is the largest file whose comments are looked at, in bytes.
const maxCommented = 1 << 20

// comments lists what marked comments of the code say of decisions, those of files that changed last first, without what was
// accepted or dismissed before. It needs no git.
func (f *Finder) comments(ctx context.Context, folder string, limit int) (*Found, error) {
	found := &Found{}
	docs, snap := codebase.NewDocumentCache(f.Index), f.Index.Snapshot()
	for _, file := range codeFiles(snap, folder) {
		if len(found.Offers) == limit || ctx.Err() != nil {
			return found, ctx.Err()
		}
		found.Files++
		text, err := f.Index.Text(file.Abs)
		marked := MarkedComments(text)
		if err != nil || len(marked) == 0 { // gone since
			continue
		}
		doc, ok := docs.At(snap, file.Abs)
		if !ok {
			continue
		}
		for _, m := range MarkedComments(doc.Text) {
			o := offerOfComment(doc, folder, m)
			known, err := f.answered(ctx, o.mark())
			if err != nil {
				return nil, err
			}
			same := slices.ContainsFunc(found.Offers, func(other Offer) bool { return other.Text == o.Text })
			if !known && !same && len(found.Offers) < limit {
				found.Offers = append(found.Offers, o)
			}
		}
	}
	return found, nil
}

// codeFiles are the files of a folder with code that is no test, the latest change first.
func codeFiles(snap *index.Snapshot, folder string) []*index.File {
	var files []*index.File
	for file := range snap.Listed() {
		if file.Folder == folder && file.Size <= maxCommented && codebase.IsCodePath(file.Path) {
			files = append(files, file)
		}
	}
	slices.SortFunc(files, func(a, b *index.File) int { return cmp.Or(b.ModTime.Compare(a.ModTime), cmp.Compare(a.Path, b.Path)) })
	return files
}

// offerOfComment says what a comment is about by the name of the definition around it, else by the file's.
func offerOfComment(doc *codebase.Document, folder string, m Marked) Offer {
	at := doc.Lines.Start(m.Line - 1)
	o := Offer{Comment: fmt.Sprintf("%s:%d", doc.File.Path, m.Line), Time: doc.File.ModTime, folder: folder, line: codebase.Selection{
		Path: doc.File.Abs, Start: at, End: doc.Lines.End(m.Line - 1),
	}}
	about := doc.File.Path
	ref, ok := codebase.ChunkAround(doc, codebase.Selection{Path: doc.File.Abs, Start: at, End: at})
	if ok && codebase.IsDefinition(ref) {
		place := placeOf(doc, ref)
		o.Places, about = []Place{place}, place.Name
	}
	o.Text = about + ": " + m.Text
	return o
}

// comment is the offer of the comment at a place "path:line" below a folder.
func (f *Finder) comment(folder, place string) (o Offer, ok bool) {
	path, line := splitPlace(place)
	docs := codebase.NewDocumentCache(f.Index)
	doc, known := docs.At(f.Index.Snapshot(), filepath.Join(folder, filepath.FromSlash(path)))
	if !known {
		return o, false
	}
	for _, m := range MarkedComments(doc.Text) {
		if m.Line == line {
			return offerOfComment(doc, folder, m), true
		}
	}
	return o, false
}

// splitPlace takes "path:line" apart; line is 0 for what is no such place.
func splitPlace(place string) (path string, line int) {
	i := strings.LastIndexByte(place, ':')
	if i <= 0 {
		return "", 0
	}
	line, err := strconv.Atoi(place[i+1:])
	if err != nil || line < 1 {
		return "", 0
	}
	return place[:i], line
}

// namedComment is the offer of a comment that a person names by its place.
func (f *Finder) namedComment(ctx context.Context, folder, place string) (Offer, error) {
	o, ok := f.comment(folder, place)
	if ok {
		known, err := f.answered(ctx, o.mark())
		if err != nil {
			return o, err
		}
		ok = !known
	}
	if !ok {
		return o, &fault.Error{
			Kind: fault.Invalid, Message: fmt.Sprintf("the comment at %s has nothing to offer, or was answered before", place), Detail: "commit",
			Remedy: "See what is offered: aurora remember --comments",
		}
	}
	return o, nil
}
