package llm

import "strings"

const (
	thinkOpen  = "<think>"
	thinkClose = "</think>"
)

// thoughts takes the reasoning that local models put before their reply, between <think> and </think>, out of a stream.
type thoughts struct {
	state thinking
	held  string // text that is not told apart yet
}

type thinking int

const (
	unknown  thinking = iota // nothing but blanks, or a part of the opening tag, has come
	inside                   // of the tags
	speaking                 // the reply itself
)

// add returns what of the next piece belongs to the reply.
func (t *thoughts) add(more string) string {
	if t.state == speaking {
		return more
	}
	t.held += more
	if t.state == unknown {
		begin := strings.TrimLeft(t.held, " \t\r\n")
		switch {
		case strings.HasPrefix(begin, thinkOpen):
			t.state, t.held = inside, begin[len(thinkOpen):]
		case strings.HasPrefix(thinkOpen, begin):
			return ""
		default:
			t.state = speaking
			return t.held
		}
	}
	_, reply, ended := strings.Cut(t.held, thinkClose)
	if !ended {
		t.held = t.held[max(0, len(t.held)-len(thinkClose)):]
		return ""
	}
	t.state = speaking
	return strings.TrimLeft(reply, " \t\r\n")
}

// rest returns what was held back when the stream ended.
func (t *thoughts) rest() string {
	if t.state == unknown {
		return t.held
	}
	return ""
}
