package main

import "testing"

func TestNearest(t *testing.T) {
	commands := []string{"serve", "index", "mem", "m", "query", "status", "version", "doctor"}
	for word, want := range map[string]string{
		"indx": "index", "idnex": "index", "qurey": "query", "Status": "status", "versoin": "version", "docter": "doctor",
		"banana": "", "": "", "mme": "mem", "日本": "",
	} {
		if got := nearest(word, commands); got != want {
			t.Errorf("nearest(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"abc", "acb", 1}, {"kitten", "sitting", 3}, {"function", "functon", 1}, {"é", "e", 1}} {
		if got := distance(tt.a, tt.b); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}
