package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/aurora-sidecar/aurora/memory"
)

// ErrLies is wrapped by errors about what no honest server sends.
var ErrLies = errors.New("the server sent what can't be right")

// A Client is one connection of one person to the memory of a team. It is used by one goroutine at a time.
type Client struct {
	conn    *pgconn.PgConn
	listens string          // the channel
	notices map[string]bool // what was announced since Wait has returned some
}

// maxNotices bounds what a server can have a client keep in mind.
const maxNotices = 1000

// A Welcome is what the server tells of a person and a repository.
type Welcome struct {
	Team, Member string
	Allowed      bool // the repository is for this person
	LastSeq      int64
	Epoch        string

	channel string
}

// Dial connects, and finds out whether client and server know each other's schema.
func Dial(ctx context.Context, a Address) (*Client, error) {
	c := &Client{}
	config, err := a.config()
	if err != nil {
		return nil, err
	}
	c.notices = map[string]bool{}
	config.OnNotification = func(_ *pgconn.PgConn, n *pgconn.Notification) {
		if len(c.notices) < maxNotices {
			c.notices[n.Payload] = true
		} else {
			c.notices[""] = true
		}
	}
	within, cancel := context.WithTimeout(ctx, connectWithin)
	defer cancel()
	if c.conn, err = pgconn.ConnectConfig(within, config); err != nil {
		return nil, err
	}
	if err := c.checkSchema(ctx); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

func (c *Client) checkSchema(ctx context.Context) error {
	rows, err := query(ctx, c.conn, `SELECT version, least_client FROM aurora.schema_version()`)
	if err != nil {
		return err
	}
	if len(rows) != 1 || len(rows[0]) != 2 {
		return fmt.Errorf("%w: no version of its schema", ErrLies)
	}
	version, err := number(rows[0][0], math.MaxInt32)
	if err != nil {
		return err
	}
	least, err := number(rows[0][1], math.MaxInt32)
	switch {
	case err != nil:
		return err
	case version < int64(schema()):
		return fmt.Errorf("the server has schema %d, older than %d, which this AURORA needs: who runs it calls aurora team migrate", version, schema())
	case least > int64(schema()):
		return fmt.Errorf("the server's schema %d is newer than this AURORA, which knows %d: update AURORA", version, schema())
	}
	return nil
}

// Close ends the connection. It waits for nobody.
func (c *Client) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = c.conn.Close(ctx) // it is given up
}

// Hello asks who the person is, and how far a repository is there. From then on Wait learns of its changes.
func (c *Client) Hello(ctx context.Context, repository string) (Welcome, error) {
	var w Welcome
	rows, err := query(ctx, c.conn, `SELECT team, member, channel, epoch, last_seq, allowed FROM aurora.hello($1)`, repository)
	if err != nil {
		return w, err
	}
	if len(rows) == 0 {
		return w, errors.New("the role is no member of a team there: who runs it adds it (aurora.add_member)")
	}
	row := rows[0]
	if len(rows) != 1 || len(row) != 6 {
		return w, fmt.Errorf("%w: a greeting of %d rows", ErrLies, len(rows))
	}
	w = Welcome{Team: shown(row[0]), Member: shown(row[1]), channel: string(row[2]), Epoch: string(row[3]), Allowed: string(row[5]) == "t"}
	if w.LastSeq, err = number(row[4], math.MaxInt64); err != nil {
		return w, err
	}
	if !strings.HasPrefix(w.channel, "aurora_") || strings.ContainsAny(w.channel, `"\`) || len(w.channel) > 60 || len(w.Epoch) > 100 || w.Member == "" {
		return w, fmt.Errorf("%w: a greeting with odd names", ErrLies)
	}
	if c.listens == w.channel {
		return w, nil
	}
	if _, err := query(ctx, c.conn, `LISTEN "`+w.channel+`"`); err != nil {
		return w, err
	}
	c.listens = w.channel
	return w, nil
}

// Pull returns the changes of a repository after a place in its feed, at most limit. What the server says is checked: the places rise,
// and each row is a record of the repository. Rows that are none are returned as bad, for people, and left out.
func (c *Client) Pull(ctx context.Context, repository string, after int64, limit int) (list []memory.TeamRow, next int64, bad []error, err error) {
	rows, err := query(ctx, c.conn, `SELECT seq, id, version, author, edited_by, edited_at, deleted, purged, body FROM aurora.changes($1, $2, $3)`,
		repository, strconv.FormatInt(after, 10), strconv.Itoa(limit))
	if err != nil {
		return nil, 0, nil, err
	}
	if len(rows) > limit {
		return nil, 0, nil, fmt.Errorf("%w: %d rows, more than the %d that were asked for", ErrLies, len(rows), limit)
	}
	next = after
	for _, row := range rows {
		r, wrong := parseRow(repository, row)
		if r.Seq <= next {
			return nil, 0, nil, fmt.Errorf("%w: change %d after %d", ErrLies, r.Seq, next)
		}
		next = r.Seq
		if wrong != nil {
			bad = append(bad, wrong)
			continue
		}
		list = append(list, r)
	}
	return list, next, bad, nil
}

// parseRow reads a row of the feed; of one that is wrong Seq counts.
func parseRow(repository string, row [][]byte) (memory.TeamRow, error) {
	var r memory.TeamRow
	if len(row) != 9 {
		return r, fmt.Errorf("%w: a row of %d columns", ErrLies, len(row))
	}
	seq, err := number(row[0], math.MaxInt64)
	version, err2 := number(row[2], math.MaxInt64)
	at, err3 := number(row[5], math.MaxInt64/1_000_000)
	r = memory.TeamRow{
		ID: string(row[1]), Version: version, Seq: seq, Author: shown(row[3]), EditedBy: shown(row[4]), At: time.UnixMilli(at).UTC(),
		Deleted: string(row[6]) == "t", Purged: string(row[7]) == "t",
	}
	if err := errors.Join(err, err2, err3); err != nil {
		return r, err
	}
	if r.At.Year() > 9999 || version < 1 {
		return r, fmt.Errorf("%w: version %d of the year %d", ErrLies, version, r.At.Year())
	}
	if r.Deleted || r.Purged {
		if !strings.HasPrefix(r.ID, "know:") || len(r.ID) > 400 {
			return r, fmt.Errorf("%w: the id %.80q", ErrLies, r.ID)
		}
		return r, nil
	}
	r.Record, r.Links, err = memory.ParseTeamBody(r.ID, repository, row[8])
	return r, err
}

// shown is a name of a server as people are shown it.
func shown(name []byte) string {
	s := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(name), ""))
	return s[:min(len(s), 63)]
}

func number(text []byte, most int64) (int64, error) {
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || n < 0 || n > most {
		return 0, fmt.Errorf("%w: the number %.40q", ErrLies, text)
	}
	return n, nil
}

type pushed struct {
	Op      string          `json:"op"`
	ID      string          `json:"id"`
	Base    int64           `json:"base"`
	Deleted bool            `json:"deleted,omitempty"`
	Purged  bool            `json:"purged,omitempty"`
	Body    json.RawMessage `json:"body,omitempty"`
}

// opOf names a change of a replica: the same change has the same name, however often it is sent.
func opOf(replica, repository string, p pushed) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%d\x00%t\x00%t\x00%s", replica, repository, p.ID, p.Base, p.Deleted, p.Purged, p.Body))
	return hex.EncodeToString(sum[:16])
}

// Push sends changes of a replica of a repository, all in one transaction, and returns what the server says of each. Sent again they are done once.
func (c *Client) Push(ctx context.Context, repository, replica string, changes []memory.TeamChange) ([]memory.TeamAnswer, error) {
	var answers []memory.TeamAnswer
	var send []pushed
	of := map[string]memory.TeamChange{}
	for _, change := range changes {
		p := pushed{ID: change.ID, Base: change.Base, Deleted: change.Deleted, Purged: change.Purged}
		if !p.Deleted && !p.Purged {
			body, err := change.Body()
			if err != nil {
				answers = append(answers, memory.TeamAnswer{ID: change.ID, Seen: change.Seen, Refused: err.Error()})
				continue
			}
			p.Body = body
		}
		p.Op = opOf(replica, repository, p)
		of[p.Op], send = change, append(send, p)
	}
	if len(send) == 0 {
		return answers, nil
	}
	text, err := json.Marshal(send)
	if err != nil {
		return nil, err
	}
	rows, err := query(ctx, c.conn, `SELECT op, outcome, version, author, seq FROM aurora.push($1, $2::jsonb)`, repository, string(text))
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if len(row) != 5 {
			return nil, fmt.Errorf("%w: an answer of %d columns", ErrLies, len(row))
		}
		change, known := of[string(row[0])]
		if !known {
			return nil, fmt.Errorf("%w: an answer to what it was not sent", ErrLies)
		}
		delete(of, string(row[0]))
		a, err := answer(change, row)
		if err != nil {
			return nil, err
		}
		answers = append(answers, a)
	}
	if len(of) > 0 {
		return nil, fmt.Errorf("%w: no answer to %d changes", ErrLies, len(of))
	}
	return answers, nil
}

func answer(change memory.TeamChange, row [][]byte) (memory.TeamAnswer, error) {
	a := memory.TeamAnswer{ID: change.ID, Seen: change.Seen, Author: shown(row[3])}
	version, err := number(row[2], math.MaxInt64)
	if err != nil {
		return a, err
	}
	a.Version = version
	switch outcome := string(row[1]); {
	case outcome == "done":
	case outcome == "conflict":
		if a.Seq, err = number(row[4], math.MaxInt64); err == nil && a.Seq < 1 {
			err = fmt.Errorf("%w: a conflict with change %d", ErrLies, a.Seq)
		}
	default:
		a.Refused = shown([]byte(strings.TrimPrefix(outcome, "refused: "))) + "."
		if text := strings.TrimPrefix(outcome, "refused: "); len(text) < 300 {
			a.Refused = text
		}
	}
	return a, err
}

// News are what a server announced.
type News struct {
	Any     bool
	notices map[string]bool
}

// Of reports whether news may be of a repository.
func (n News) Of(repository string) bool { return n.notices[mark(repository)] || n.notices[""] }

// Greet reports whether Hello has to be asked again: the server's records are others than they were.
func (n News) Greet() bool { return n.notices[""] }

// mark is how the server announces a repository: members who may not see it get no name.
func mark(repository string) string {
	sum := sha256.Sum256([]byte(repository))
	return hex.EncodeToString(sum[:8])
}

// Wait waits until the server tells of a change, and no longer than a while.
func (c *Client) Wait(ctx context.Context, atMost time.Duration) (News, error) {
	waiting, cancel := context.WithTimeout(ctx, atMost)
	defer cancel()
	var err error
	if len(c.notices) == 0 {
		err = c.conn.WaitForNotification(waiting)
	}
	news := News{len(c.notices) > 0, c.notices}
	c.notices = map[string]bool{}
	if err != nil && waiting.Err() != nil && !c.conn.IsClosed() {
		return news, ctx.Err()
	}
	return news, err
}
