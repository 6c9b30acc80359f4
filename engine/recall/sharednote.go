package recall

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/memory"
)

// maxSameName is how many notes may have one name, with a number behind it.
const maxSameName = 100

// Share remembers a record as a new file of its project's notes, which a team may commit. A note that says the same is kept as
// it is. It fails as Remember does, with Invalid where no folder is open or the record is not knowledge of a project, and with
// Storage where the file can't be written.
func (e *Records) Share(ctx context.Context, r RememberRequest) (SharedNote, error) {
	record, err := e.newRecord(r)
	if err != nil {
		return SharedNote{}, err
	}
	folder, err := sharedIn(e, r, record)
	if err != nil {
		return SharedNote{}, err
	}
	if record, err = memory.Prepare(record); err != nil {
		return SharedNote{}, fault.OfStore(ctx, "remember", err)
	}
	name, created, err := writeNote(folder, record)
	if err != nil {
		return SharedNote{}, &fault.Error{
			Kind: fault.Storage, Message: "the note can't be written: " + err.Error(), Detail: "shared",
			Remedy: "Make " + notesFolder + " a folder of the project that you may write to.",
		}
	}
	e.SyncNotes(ctx)
	return SharedNote{ID: noteID(folder, name), Path: filepath.Join(folder, filepath.FromSlash(notesFolder), name), Created: created}, nil
}

// sharedIn is the folder whose notes a record belongs to: that of the code which it cites, else the first.
func sharedIn(e *Records, r RememberRequest, record memory.Record) (string, error) {
	if r.Personal || r.Team || record.Type != memory.Knowledge || r.GoalID != "" {
		return "", &fault.Error{
			Kind: fault.Invalid, Message: "a shared note is knowledge of its project: it is not personal, not of the team's server, no reasoning, and belongs to no goal", Detail: "shared",
			Remedy: "Leave out what does not fit.",
		}
	}
	if len(record.Citations) > 0 {
		return record.Citations[0].Folder, nil
	}
	if folders := e.Index.Folders(); len(folders) > 0 {
		return folders[0], nil
	}
	return "", &fault.Error{Kind: fault.Invalid, Message: "no folder is open whose notes it could be in", Detail: "shared", Remedy: "Open the project."}
}

// writeNote writes a record into a new file of a folder's notes and returns its name; created is false when a note says so
// already. Links are not followed out of the folder.
func writeNote(folder string, record memory.Record) (name string, created bool, err error) {
	for _, name := range noteFiles(folder) {
		text, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(notesFolder), name))
		if err == nil && strings.TrimSpace(parseNote(string(text)).body) == record.Content {
			return name, false, nil
		}
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return "", false, err
	}
	defer root.Close()
	if err := root.MkdirAll(notesFolder, 0o755); err != nil {
		return "", false, err
	}
	stem := memory.Slug(record.Title)
	for n := range maxSameName {
		name := stem + ".md"
		if n > 0 {
			name = fmt.Sprintf("%s-%d.md", stem, n+1)
		}
		err := createNote(root, path.Join(notesFolder, name), noteText(record))
		if !errors.Is(err, fs.ErrExist) {
			return name, err == nil, err
		}
	}
	return "", false, fmt.Errorf("there are %d notes called %s", maxSameName, stem)
}

// createNote writes a file that must not be there, whole or not at all: another name has it until it is on the disk. Where the
// file system has no links, a process that is killed in the midst may leave a part of it.
func createNote(root *os.Root, path string, text []byte) error {
	unfinished := fmt.Sprintf("%s.%d.tmp", path, os.Getpid())
	_ = root.Remove(unfinished) // of a process of this number that was killed
	if err := createFile(root, unfinished, text); err != nil {
		return err
	}
	defer root.Remove(unfinished)
	err := root.Link(unfinished, path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	return createFile(root, path, text)
}

func createFile(root *os.Root, path string, text []byte) error {
	file, err := root.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		_ = root.Remove(path)
	}
	return err
}

// noteText is a record as the text of a note.
func noteText(record memory.Record) []byte {
	var front bytes.Buffer
	list := func(key string, items []string) {
		if len(items) > 0 {
			fmt.Fprintf(&front, "%s:\n", key)
		}
		for _, item := range items {
			fmt.Fprintf(&front, "- %s\n", item)
		}
	}
	list("tags", record.Tags)
	var places []string
	for _, c := range record.Citations {
		places = append(places, refOf(c))
	}
	list("cites", places)
	if record.Importance != 1 {
		fmt.Fprintf(&front, "importance: %g\n", record.Importance)
	}
	if front.Len() == 0 && !strings.HasPrefix(record.Content, "---") {
		return []byte(record.Content + "\n")
	}
	return fmt.Appendf(nil, "---\n%s---\n%s\n", front.String(), record.Content)
}
