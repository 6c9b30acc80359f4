package memory

// A Purge names what is to be deleted for good, at once.
type Purge struct {
	IDs  []string // of records, forgotten ones included
	Text string   // of which everything that holds it is deleted; "" for nothing
}

// Purged is what a purge has deleted of the store.
type Purged struct {
	IDs   []string // of records
	Texts []string // what they were called and held, former texts included
}
