package app

import "testing"

func TestNearest(t *testing.T) {
	commands := []string{"serve", "index", "mem", "m", "query", "status", "version", "doctor"}
	for word, want := range map[string]string{
		"indx": "index", "idnex": "index", "qurey": "query", "Status": "status", "versoin": "version", "docter": "doctor",
		"banana": "", "": "", "mme": "mem", "日本": "",
	} {
		if got := Nearest(word, commands); got != want {
			t.Errorf("nearest(%q) = %q, want %q", word, got, want)
		}
	}
}
