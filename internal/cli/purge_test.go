package cli

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
)

// vaultWord looks like no secret, so that nothing else takes it out.
const vaultWord = "q7zebrafish9941"

// holding lists the files below AURORA's folder that hold a text, in any case, the index included.
func (p *project) holding(text string) []string {
	p.t.Helper()
	var found []string
	err := filepath.WalkDir(filepath.Join(p.home, ".aurora"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		if bytes.Contains(bytes.ToLower(content), []byte(text)) || strings.Contains(path, text) {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return found
}

// tell makes every part of AURORA keep the word: a record with a former text, a forgotten one, a question, an export, a backup.
func (p *project) tell(run func(args ...string) outcome) {
	p.t.Helper()
	must := func(args ...string) outcome {
		p.t.Helper()
		got := run(args...)
		if got.code != app.ExitOK {
			p.t.Fatalf("%s: %s", strings.Join(args, " "), got)
		}
		return got
	}
	id := strings.Fields(must("remember", "The vault word is "+vaultWord, "--tag", vaultWord).out)[2]
	must("mem", "edit", id, "The vault word is "+vaultWord+" since May")
	other := strings.Fields(must("remember", vaultWord+" opens the other vault, too").out)[2]
	must("mem", "relate", other, id, "--as", "explains")
	must("forget", other)
	must("remember", "Vaults are closed at night")
	run("ask", "what did we decide about the vault word "+vaultWord+"?")
	must("mem", "export", filepath.Join(p.home, ".aurora", "memory.jsonl"))
	database := filepath.Join(p.home, ".aurora", "memory.db")
	content, err := os.ReadFile(database)
	if err == nil {
		err = os.WriteFile(database+".bak-v3", content, 0o600)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// purge deletes the word for good, and fails unless it is gone and all else is there.
func (p *project) purge(run func(args ...string) outcome) {
	p.t.Helper()
	if got := run("forget", "--purge", "--text", vaultWord); got.code != app.ExitOK || !strings.Contains(got.out, "Deleted for good: 2 records, 1 question") || got.err != "" {
		p.t.Errorf("purge: %s", got)
	}
	if left := p.holding(vaultWord); len(left) > 0 {
		p.t.Errorf("it is still in %q", left)
	}
	for _, args := range []string{"mem export -", "forget --undo", "history", "logs --search vault"} {
		if got := run(strings.Fields(args)...); strings.Contains(got.out, vaultWord) {
			p.t.Errorf("%s: %s", args, got)
		}
	}
	if got := run("mem", "export", "-"); !strings.Contains(got.out, "Vaults are closed at night") {
		p.t.Errorf("another record is gone: %s", got)
	}
	if got := run("forget", "--purge", "--text", vaultWord); got.code != app.ExitNothing {
		p.t.Errorf("purged again: %s", got)
	}
}

func (p *project) aurora(args ...string) outcome {
	return p.run(append([]string{"aurora"}, args...)...)
}

func TestPurgeLeavesNothing(t *testing.T) {
	p := smallProject(t)
	p.tell(p.aurora)
	if before := p.holding(vaultWord); len(before) < 4 {
		t.Fatalf("before, only %q hold it", before)
	}
	p.purge(p.aurora)
}

func TestPurgeOfEncryptedMemoryLeavesNothing(t *testing.T) {
	p, _ := encryptedProject(t)
	p.tell(p.aurora)
	p.purge(p.aurora)
	p.mustRun("aurora", "mem", "encryption", "--disable")
	if left := p.holding(vaultWord); len(left) > 0 {
		t.Errorf("decrypted, it is in %q", left)
	}
}

func TestPurgeByIDTakesWhatQuotesTheRecord(t *testing.T) {
	p := smallProject(t)
	p.tell(p.aurora)
	id := strings.Fields(p.mustRun("aurora", "remember", "A third vault has the word "+vaultWord+"-three").out)[2]
	p.aurora("ask", "what did we decide about a third vault?")
	if got := p.mustRun("aurora", "forget", "--purge", id); !strings.Contains(got.out, "1 record") {
		t.Errorf("purge: %s", got)
	}
	if left := p.holding(vaultWord + "-three"); len(left) > 0 {
		t.Errorf("it is still in %q", left)
	}
	if len(p.holding(vaultWord)) == 0 {
		t.Error("the other records are gone")
	}
}

func TestPurgeWhileADaemonRuns(t *testing.T) {
	p := sharing(t, 600)
	editor := p.serveShared()
	editor.begin(p.dir)
	p.onlyDaemon()
	p.tell(p.binary)
	if before := p.holding(vaultWord); len(before) < 3 { // the database is in its log, the backup of it empty
		t.Fatalf("before, only %q hold it", before)
	}
	p.purge(p.binary)
}

// What is made of a text's words goes with it: the name of a conversation, and the keywords in an export.
func TestPurgeTakesWhatWasMadeOfTheWords(t *testing.T) {
	p := smallProject(t)
	const secret = "Quagga-Okapi-77"
	p.mustRun("aurora", "remember", "The word of the cellar is "+secret)
	p.aurora("ask", "what is "+secret+" for?")
	export := filepath.Join(p.home, ".aurora", "memory.jsonl")
	p.mustRun("aurora", "remember", "Cellars are closed at night")
	p.mustRun("aurora", "mem", "export", export)
	if before := p.holding("quagga"); len(before) < 3 {
		t.Fatalf("before, only %q hold it", before)
	}
	p.mustRun("aurora", "forget", "--purge", "--text", secret)
	if left := p.holding("quagga"); len(left) > 0 {
		t.Errorf("it is still in %q", left)
	}
	p.mustRun("aurora", "mem", "import", export) // what is left of it can be read
}
