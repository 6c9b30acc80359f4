package leafpage

// A Column is one of a table's, as far as its rows are told by it.
type Column struct {
	Name     string
	Kind     string // INTEGER, REAL, TEXT or BLOB, as STRICT tables have them
	Nullable bool
	Later    bool // rows that are older than the column lack it
}

// Columns are those of a table whose first one is the number of the row.
type Columns []Column

// Fit reports whether a row can be one of a table with these columns. For the row's number a row has NULL.
func (c Columns) Fit(row Row) bool {
	if len(row.Values) == 0 || len(row.Values) > len(c) || row.Values[0] != nil {
		return false
	}
	for i := 1; i < len(c); i++ {
		missing := i >= len(row.Values)
		if missing && !c[i].Later || !missing && !c[i].holds(row.Values[i]) {
			return false
		}
	}
	return true
}

// holds reports whether a value can be in the column. SQLite writes whole numbers as integers, also of REAL.
func (c *Column) holds(value any) bool {
	switch value.(type) {
	case nil:
		return c.Nullable
	case int64:
		return c.Kind == "INTEGER" || c.Kind == "REAL"
	case float64:
		return c.Kind == "REAL"
	case string:
		return c.Kind == "TEXT"
	}
	return c.Kind == "BLOB"
}
