package cryptvfs

// overhead is how many bytes a unit has more than the text in it: a nonce of 12 and a tag of 16.
const overhead = 28

// A unit is what is encrypted and written at once.
type unit struct {
	index    int64 // authenticated together with the content
	start    int64 // in the file as SQLite sees it
	size     int   // there
	physical int64 // where it begins on disk; it takes size + overhead bytes
}

// A layout says which unit holds which bytes.
type layout interface {
	// at returns the unit that holds the byte at off.
	at(off int64) unit
	// logical returns the size that SQLite sees of a file with that size on disk. A unit that is cut does not count.
	logical(physical int64) int64
}

// end is the size on disk of a file whose last unit holds the byte before size.
func end(l layout, size int64) int64 {
	if size <= 0 {
		return l.at(0).physical
	}
	u := l.at(size - 1)
	return u.physical + int64(u.size) + overhead
}

const (
	headerSize = 4096

	// SQLite locks these bytes of the database to coordinate processes. On Windows nobody may read or write locked bytes,
	// so they belong to no unit.
	lockByte, lockBytes = 0x40000000, 512
)

// pages is the layout of a database.
type pages struct{ size int64 }

func (p pages) at(off int64) unit {
	index := off / p.size
	return unit{index: index, start: index * p.size, size: int(p.size), physical: p.physical(index)}
}

func (p pages) physical(index int64) int64 {
	if before := p.beforeLock(); index >= before {
		return lockByte + lockBytes + (index-before)*(p.size+overhead)
	}
	return headerSize + index*(p.size+overhead)
}

// beforeLock is how many units lie before the locked bytes.
func (p pages) beforeLock() int64 { return (lockByte - headerSize) / (p.size + overhead) }

func (p pages) logical(physical int64) int64 {
	units := min(p.beforeLock(), max(0, physical-headerSize)/(p.size+overhead))
	if after := physical - lockByte - lockBytes; after > 0 {
		units += after / (p.size + overhead)
	}
	return units * p.size
}

// The write-ahead log has a header, and then frames of a header and a page: https://sqlite.org/fileformat.html#walformat
const walHeader, frameHeader = 32, 24

// frames is the layout of a write-ahead log.
type frames struct{ page int64 }

func (f frames) at(off int64) unit {
	if off < walHeader {
		return unit{size: walHeader}
	}
	size, whole := frameHeader+f.page, frameHeader+f.page+2*overhead
	frame, within := (off-walHeader)/size, (off-walHeader)%size
	u := unit{index: 1 + 2*frame, start: walHeader + frame*size, size: frameHeader, physical: walHeader + overhead + frame*whole}
	if within >= frameHeader {
		u = unit{index: u.index + 1, start: u.start + frameHeader, size: int(f.page), physical: u.physical + frameHeader + overhead}
	}
	return u
}

func (f frames) logical(physical int64) int64 {
	physical -= walHeader + overhead
	if physical < 0 {
		return 0
	}
	size, whole := frameHeader+f.page, frameHeader+f.page+2*overhead
	rest := int64(0)
	if physical%whole >= frameHeader+overhead {
		rest = frameHeader
	}
	return walHeader + physical/whole*size + rest
}

// isFrameHeader reports whether a unit of a log is no page.
func isFrameHeader(u unit) bool { return u.index == 0 || u.index%2 == 1 }

// blocks is the layout of journals and temporary files.
type blocks struct{ size int64 }

func (b blocks) at(off int64) unit {
	index := off / b.size
	return unit{index: index, start: index * b.size, size: int(b.size), physical: index * (b.size + overhead)}
}

func (b blocks) logical(physical int64) int64 { return physical / (b.size + overhead) * b.size }
