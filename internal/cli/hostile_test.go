package cli

import (
	"os"
	"runtime"
	"strings"
	"testing"
)

// The limits of one text are those of index/parser; here it is the program that keeps them.
func TestAHostileFileCostsLittleAndIsNamed(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("how much memory a process has is read as Linux tells it")
	}
	p := newProject(t)
	p.write("bomb.c", strings.Repeat("a=>", 8500)) // its tree took 19 GB
	p.write("good.c", "int checksum(int a) { return a; }\n")
	cmd := p.command("aurora", "index")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "bomb.c: a part of it does not parse") {
		t.Fatalf("%v\n%s", err, out)
	}
	if used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); used.Seconds() > 20 {
		t.Errorf("it took %v of processor time", used)
	}
	out, err := p.command("aurora", "index", "check", "bomb.c").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "cut by its paragraphs, since parsing took more memory than its limit") {
		t.Errorf("index check: %v\n%s", err, out)
	}
	out, err = p.command("aurora", "search", "checksum", "--json").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "good.c") {
		t.Errorf("search: %v\n%s", err, out)
	}
	log, err := os.ReadFile(p.home + "/.aurora/logs/aurora.log")
	if err != nil || !strings.Contains(string(log), "bomb.c") {
		t.Errorf("the log does not name it: %v\n%s", err, log)
	}
}
