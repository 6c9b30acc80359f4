package engine

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine/budget"
)

// Budget returns the present period of the account of costs, after a reset if that is the action; with the action
// history those before it, too, of one month when month is not "".
func (e *Engine) Budget(ctx context.Context, action, month string) (p budget.Period, history []budget.Period, err error) {
	t := e.opts.Budget
	if t == nil {
		return p, nil, &Error{Kind: Budget, Message: "no account of costs is kept", Remedy: "Run: aurora doctor"}
	}
	var from time.Time
	if month != "" {
		if from, err = time.Parse("2006-01", month); err != nil {
			return p, nil, &Error{Kind: Invalid, Message: fmt.Sprintf("month must be a year and a month, got %q", month), Detail: "month", Remedy: "Write it as in 2025-12."}
		}
	}
	switch strings.ToLower(action) {
	case "", "status":
	case "reset":
		err = t.Reset(ctx)
	case "history":
		history, err = t.History(ctx, from)
	default:
		return p, nil, &Error{Kind: Invalid, Message: fmt.Sprintf("unknown action %q", action), Detail: "action", Remedy: "Use status, reset or history."}
	}
	if err == nil {
		p, err = t.Status(ctx)
	}
	if err != nil {
		if ctx.Err() != nil {
			return p, nil, ctx.Err()
		}
		return p, nil, &Error{Kind: Storage, Message: "the account of costs can't be read", Err: err, Remedy: "Run: aurora doctor"}
	}
	return p, history, nil
}
