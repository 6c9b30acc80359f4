package engine

// A RememberRequest stores a record.
type RememberRequest struct {
	Content    string
	SourceRef  string
	Tags       []string
	Importance float64 // 0 means 1
	GoalID     string
	Type       string // knowledge (default) or reasoning
	Select     *Selection
}
