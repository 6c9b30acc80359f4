package trust

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestStore holds that trust is for one folder and for what was reviewed, is kept, can be withdrawn, and is nobody's when its
// file is damaged.
func TestStore(t *testing.T) {
	home, shop := t.TempDir(), t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(shop, link); err != nil {
		t.Fatal(err)
	}
	agent := Item{"agent", "payer", "runs sh pay.sh", Digest("sh", "pay.sh")}
	store := Open(home)
	if store.Approves(shop, agent) || store.Review(shop, nil).Trusted() {
		t.Error("a folder that nobody trusted")
	}
	if err := store.Approve(store.Review(link, []Item{agent}), time.Now()); err != nil {
		t.Fatal(err)
	}
	if !Open(home).Trusts(link) || store.Trusts(filepath.Dir(shop)) || !Open(home).Approves(shop, agent) || !store.Approves(link, agent) || store.Approves(filepath.Join(shop, "vendor"), agent) || store.Approves(filepath.Dir(shop), agent) {
		t.Error("trust is for the folder that was named")
	}
	info, err := os.Stat(filepath.Join(home, "trusted.json"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	more := Item{"agent", "other", "runs x", Digest("x")}
	changed := Item{"agent", "payer", "runs sh steal.sh", Digest("sh", "steal.sh")}
	sameWords := Item{"agent", "payer", agent.Does, Digest("sh", "pay.sh", "another content")}
	unreadable := Item{"agent", "payer", agent.Does, ""}
	for want, item := range map[string]Item{"other: runs x": more, "it was: runs sh pay.sh": changed, "another content": sameWords, "changed": unreadable} {
		r := store.Review(shop, []Item{item})
		if store.Approves(shop, item) || r.Trusted() || len(r.Changes) != 1 || !strings.Contains(r.Changes[0].String(), want) {
			t.Errorf("%s: %+v", want, r)
		}
	}
	if r := store.Review(shop, []Item{agent}); !r.Trusted() {
		t.Errorf("%+v", r)
	}
	if was, err := store.Withdraw(shop); !was || err != nil || store.Trusts(shop) || store.Approves(shop, agent) {
		t.Errorf("withdrawn: %v, %v", was, err)
	}
	if was, err := store.Withdraw(shop); was || err != nil {
		t.Errorf("withdrawn twice: %v, %v", was, err)
	}
	if err := os.WriteFile(filepath.Join(home, "trusted.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := store.Approve(store.Review(shop, []Item{agent}), time.Now()); err == nil || !strings.Contains(err.Error(), "damaged") || store.Approves(shop, agent) {
		t.Errorf("a damaged file: %v", err)
	}
	if err := Open("").Approve(&Review{Folder: shop}, time.Now()); err == nil {
		t.Error("kept without a folder to keep it in")
	}
}

// What a project calls its things can't hide what they do.
func TestItemIsShownAsItIs(t *testing.T) {
	item := Item{"agent", "a\x1b[2J", "runs x\u202egnp.\nagent   harmless: runs true", ""}
	if got := item.String(); strings.ContainsAny(got, "\x1b\n\u202e") || !strings.Contains(got, `a\u001b[2J: runs x\u202egnp.\u000a`) {
		t.Errorf("%q", got)
	}
}
