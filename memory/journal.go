package memory

import (
	"context"
	"time"
)

// The operations of entries of the journal that are no operation of a Metric.
const (
	OpAsked   = "asked"   // a question of which no figures are kept
	OpLeft    = "left"    // a question that ended without an answer
	OpLogged  = "logged"  // the Markdown file of the question was written; with a detail, is to be written
	OpReserve = "reserve" // a call of a model was granted an amount, which counts as spent
	OpSettle  = "settle"  // what the call took less what was reserved for it
	OpFolded  = "folded"  // reservations and what they took, of one day: lines that are old become one, with the number of calls
	OpCarried = "carried" // spending of one period that another account had kept
	OpClosed  = "closed"  // the same of a period that the account had closed: it counts in no present period
	OpReset   = "reset"   // the present period of spending began again
)

// A JournalEntry is one line of the journal. Lines are appended and never changed; only the detail of old questions is
// dropped, and old reservations are folded into a line for each day.
type JournalEntry struct {
	Metric // who did what, when, and what it took

	// Once names what is written once only: an entry whose name the journal has already is left out. "" is always written.
	Once    string
	Detail  []byte   // of a question: all that is known of it, in the form of its reader
	Learned *Outcome // what memory learns from the question, in the same transaction; its text is not kept here; nil for nothing
	Charge  Charge

	// Remember is what the answer becomes in the same transaction, whose id is noted as Metric.Record; nil for no record.
	Remember *Record
}

// A Charge is an amount of money in the journal.
type Charge struct {
	At       time.Time // the moment that it counts at; the zero time counts nowhere. A question counts by an amount of 0
	USD      float64
	LimitUSD float64 // in effect at that moment
}

// A SpentDay is what was spent on a day of the calendar in UTC, between two resets. A closed period of another account is
// on its first day.
type SpentDay struct {
	Part     int // how many resets came before; -1 for closed periods of another account
	Day      time.Time
	USD      float64
	LimitUSD float64 // the latest one of the day; 0 for none
	Queries  int
}

// Spent is what was spent since a moment and the last reset.
type Spent struct {
	USD     float64
	Queries int
	Part    int       // how many resets there were
	First   time.Time // the earliest charge of these; the zero time for none
	Latest  time.Time // the latest charge of all
}

// Since says where a period begins when the latest charge was made at a moment, the zero time for none.
type Since func(latest time.Time) time.Time

// A Journal is the one record of what was asked, answered, spent, used and learned. Every method may be called from
// several goroutines and processes.
type Journal interface {
	// Append writes all entries or none, and applies what they teach, in one transaction. Of questions older than the
	// newest keep ones the detail is dropped; 0 keeps all.
	Append(ctx context.Context, entries []JournalEntry, keep int) (Learned, error)
	// QuestionIDs returns the ids of the questions that have a detail, the one that was asked last first.
	QuestionIDs(ctx context.Context) ([]string, error)
	// Question returns the detail of a question. It fails with ErrNotFound when there is none.
	Question(ctx context.Context, id string) ([]byte, error)
	// Unlogged returns the ids of the questions whose Markdown file is to be written, the oldest first. That it is written is
	// another entry of OpLogged, which drops what was to be written.
	Unlogged(ctx context.Context) ([]string, error)
	// ToLog returns the detail of the entry that asks for a question's Markdown file. It fails with ErrNotFound when there is none.
	ToLog(ctx context.Context, id string) ([]byte, error)

	// Erase drops the detail of questions, and of those that are to be logged, and whatever names these files of conversations.
	Erase(ctx context.Context, ids, files []string) error

	// Reserve appends a charge and returns its number, unless allow refuses it. Inside the transaction, since is told when the
	// latest charge was and says where the period begins, and allow is told what was spent since, so that no number of
	// processes at a time passes a limit. No charge counts before the latest one, however the clock was set.
	Reserve(ctx context.Context, c Charge, since Since, allow func(Spent) error) (number int64, err error)
	// Settle appends what a reserved call took beyond its reservation, a negative amount for less. A reservation is settled
	// once: another Settle of the same number changes nothing. Number 0 is a call that nothing was reserved for.
	Settle(ctx context.Context, number int64, c Charge) error
	// Spent sums up what counts since a moment and the last reset.
	Spent(ctx context.Context, since Since) (Spent, error)
	// Spending returns all that was spent by day, in order.
	Spending(ctx context.Context) ([]SpentDay, error)
	// Known reports whether an entry with that name was written.
	Known(ctx context.Context, once string) (bool, error)
	// Volatile reports whether the journal ends with the process because its file could not be opened.
	Volatile() bool
	// Locked returns why the file can't be decrypted, nil when it can or need not.
	Locked() error
}
