package wording

import (
	"slices"
	"testing"
)

func TestCommitBody(t *testing.T) {
	body := "Keep it.\r\n\r\nSigned-off-by: Ada <ada@example.com>\nCo-authored-by: Bo <bo@example.com>\nChange-Id: I123\n\n"
	if got := CommitBody(body); !slices.Equal(got, []string{"Keep it.", "", "Co-authored-by: Bo <bo@example.com>"}) {
		t.Errorf("%q", got)
	}
	if got := CommitBody("Signed-off-by: Ada <ada@example.com>\n"); len(got) != 0 {
		t.Errorf("%q", got)
	}
	for subject, want := range map[string]string{"Merge pull request #12 from x/y\n\nMore": "pull request #12 from x/y", "Land it": "Land it"} {
		if got := MergedWith(subject); got != want {
			t.Errorf("%q: %q", subject, got)
		}
	}
}
