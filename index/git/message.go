package git

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/scrub"
)

// A Message is a commit with all that it says.
type Message struct {
	Hash          string
	Author, Email string
	Time          time.Time // commit time
	Parents       []string  // full hashes; none for the first commit, and where a shallow clone ends
	Text          string    // subject and body, at most maxMessage bytes, without secrets
}

// maxMessage is the most bytes of a message that are read.
const maxMessage = 64 << 10

// messageFields is how many fields messageFormat has.
const messageFields = 6

const messageFormat = "--format=tformat:%H%x00%an%x00%ae%x00%ct%x00%P%x00%B"

// Messages returns the commits that a revision reaches, HEAD for "", and that the hash from does not, newest first and at most
// limit. A repository without commits has none.
func Messages(ctx context.Context, r *Repo, to, from string, limit int) ([]Message, error) {
	head, err := r.Head(ctx)
	if err != nil {
		return nil, fmt.Errorf("messages: %w", err)
	}
	if head.Unborn() {
		return nil, nil
	}
	args := []string{"log", "-z", "--no-show-signature", "--no-color", "--max-count=" + strconv.Itoa(limit), messageFormat, cmp.Or(to, "HEAD")}
	if from != "" {
		args = append(args, "^"+from)
	}
	out, err := r.run(ctx, nil, append(args, "--")...)
	if err != nil {
		return nil, fmt.Errorf("messages: %w", err)
	}
	var list []Message
	for f := fields(out); len(f) >= messageFields; f = f[messageFields:] {
		list = append(list, newMessage(f))
	}
	return list, nil
}

func newMessage(f []string) Message {
	seconds, _ := strconv.ParseInt(f[3], 10, 64) // git wrote it
	text := f[5]
	if len(text) > maxMessage {
		text = text[:maxMessage]
		text = text[:max(0, strings.LastIndexByte(text, '\n'))] // half a line may be half a secret
	}
	return Message{
		Hash: f[0], Author: message(f[1]), Email: f[2], Time: unixTime(seconds), Parents: strings.Fields(f[4]),
		Text: message(strings.ToValidUTF8(text, "\uFFFD")),
	}
}

// Email is the address that commits of the person have, "" when git knows none.
func Email(ctx context.Context, r *Repo) (string, error) {
	out, err := r.run(ctx, nil, "config", "--get", "user.email")
	var failed *CommandError
	if errors.As(err, &failed) && ctx.Err() == nil {
		return "", nil // no such setting
	}
	if err != nil {
		return "", fmt.Errorf("address of the person: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// Patch returns what a commit changed below the folder, as git writes it; of a merge, what it brought.
func Patch(ctx context.Context, r *Repo, hash string) (string, error) {
	out, err := r.run(ctx, nil, "show", "--format=", "-m", "--first-parent", "--no-show-signature", "--no-ext-diff", "--no-textconv", "--no-color",
		"--find-renames", "--unified=0", "--relative", "--ignore-submodules", "--src-prefix=a/", "--dst-prefix=b/", hash, "--")
	if err != nil {
		return "", fmt.Errorf("patch of %s: %w", hash, err)
	}
	return string(out), nil
}

// Brought lists a commit and, of a merge, the commits that it brought, at most limit: full hashes.
func Brought(ctx context.Context, r *Repo, m Message, limit int) ([]string, error) {
	if len(m.Parents) < 2 {
		return []string{m.Hash}, nil
	}
	out, err := r.run(ctx, nil, "rev-list", "--max-count="+strconv.Itoa(limit), m.Hash, "^"+m.Parents[0])
	if err != nil {
		return nil, fmt.Errorf("commits of the merge %s: %w", m.Hash, err)
	}
	return strings.Fields(string(out)), nil
}

// message is what a commit says without the secrets that somebody wrote into it: it is shown, and models read it.
func message(text string) string {
	clean, _ := scrub.Text(text)
	return clean
}
