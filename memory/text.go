package memory

// A RecordText is what a record says, for those who find records by other means than words.
type RecordText struct {
	ID          string
	Workspace   string // folder; "" for all
	Title       string
	Content     string
	ContentHash string
}

// A TextMark says up to where a store's texts were read. The zero TextMark is before all of them.
type TextMark struct {
	Seq     int64
	Updated int64 // milliseconds since 1970
}

// A RecordVector is what a record means, in the space of a model.
type RecordVector struct {
	Of     RecordText // the text that the vector is of
	Vector []int8
}
