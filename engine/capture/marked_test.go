package capture

import "testing"

func TestMarkedComments(t *testing.T) {
	for text, want := range map[string]string{
		"// NOTE: We do not shrink the list here, because it is released right after this.":                                   "We do not shrink the list here, because it is released right after this.",
		"# HACK(ada): the cache is cleared twice on purpose, as the driver forgets the first call":                            "the cache is cleared twice on purpose, as the driver forgets the first call",
		"/* NOTE: the sum is kept in 64 bits in order to avoid an overflow on\n * boards with 16 bits. See the manual. */":    "the sum is kept in 64 bits in order to avoid an overflow on boards with 16 bits.",
		"-- WORKAROUND: the index is rebuilt here, because the planner ignores it otherwise, until version 12":                "the index is rebuilt here, because the planner ignores it otherwise, until version 12",
		"// DECISION: amounts are whole cents everywhere in this program from now on":                                         "amounts are whole cents everywhere in this program from now on",
		"// TODO: remove this once the server of version 2 is gone everywhere, we keep it on purpose until then for old ones": "remove this once the server of version 2 is gone everywhere, we keep it on purpose until then for old ones",

		"// TODO: find out why this is slow because nobody knows it at the moment at all": "",
		"// NOTE: column-major order": "",
		"// NOTE: You should not call this, because it is slow for everybody who waits for it":   "",
		"x := \"NOTE: we keep this because of the reasons that are told elsewhere in the file\"": "",
		"// We keep this on purpose, because of reasons that are told elsewhere in the file":     "",
		"// NOTE: what happens because the list is empty and nobody has asked for anything yet?": "",
	} {
		got := MarkedComments([]byte("package x\n\n" + text + "\nfunc f() {}\n"))
		switch {
		case want == "" && len(got) > 0:
			t.Errorf("%s: %+v", text, got)
		case want != "" && (len(got) != 1 || got[0].Text != want || got[0].Line != 3):
			t.Errorf("%s: %+v, want %q", text, got, want)
		}
	}
}
