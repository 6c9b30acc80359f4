package lexical

import (
	"encoding/binary"
	"math"
)

// A posting's payload is its mask byte and, when the byte's upper three bits are zero, one varint per field.
const (
	fieldBits    = 1<<scored - 1     // of the mask byte: the fields that hold the term
	uniformShift = scored            // its upper bits: the frequency shared by all those fields
	maxUniform   = 1<<3 - 1          // highest frequency that fits there
	presence     = 1 << uniformShift // payload of a posting that only says "here": no field, frequency 1
)

// exhausted is the document number of a cursor that has no posting left.
const exhausted = math.MaxUint32

// appendPayload appends the encoded term frequencies, of which at least one is positive.
func appendPayload(dst []byte, tf *[scored]uint32) []byte {
	var mask byte
	var shared uint32
	uniform := true
	for f, n := range tf {
		if n == 0 {
			continue
		}
		mask |= 1 << f
		uniform = uniform && (shared == 0 || n == shared)
		shared = n
	}
	if uniform && shared <= maxUniform {
		return append(dst, mask|byte(shared)<<uniformShift)
	}
	dst = append(dst, mask)
	for _, n := range tf {
		if n > 0 {
			dst = binary.AppendUvarint(dst, uint64(n))
		}
	}
	return dst
}

// A cursor walks one term's postings. It trusts nothing: bytes that make no sense end the list.
type cursor struct {
	data []byte
	pos  int    // of the present posting's payload
	doc  uint32 // present document, or exhausted
	docs uint32 // documents of the segment; higher numbers are damage
}

// newCursor returns a cursor that stands on the first posting.
func newCursor(postings []byte, docs uint32) cursor {
	c := cursor{data: postings, docs: docs}
	c.step(-1)
	return c
}

// step moves to the posting after document prev, whose payload has been read.
func (c *cursor) step(prev int64) {
	delta, n := uvarint(c.data[c.pos:])
	if n <= 0 || delta == 0 || delta > uint64(int64(c.docs)-prev-1) {
		c.end()
		return
	}
	c.pos += n
	c.doc = uint32(prev + int64(delta))
}

// end gives up the rest of the list.
func (c *cursor) end() {
	c.pos, c.doc = len(c.data), exhausted
}

// mask returns the field bits of the present posting, 0 when there is none.
func (c *cursor) mask() byte {
	if c.pos >= len(c.data) {
		return 0
	}
	return c.data[c.pos] & fieldBits
}

// hop leaves the present posting when it is like nearly all: one byte says it all, which is returned, and the next
// document is near. Otherwise it does nothing.
func (c *cursor) hop() (mask byte, ok bool) {
	rest := c.data[c.pos:]
	if len(rest) < 2 || rest[0] < presence || rest[1] >= 0x80 {
		return 0, false
	}
	next := c.doc + uint32(rest[1])
	if next <= c.doc || next >= c.docs {
		return 0, false
	}
	c.pos, c.doc = c.pos+2, next
	return rest[0], true
}

// next leaves the present posting and returns its payload, nil when it is damaged.
func (c *cursor) next() []byte {
	n := payloadLen(c.data[c.pos:])
	if n == 0 {
		c.end()
		return nil
	}
	payload := c.data[c.pos : c.pos+n]
	c.pos += n
	c.step(int64(c.doc))
	return payload
}

// payloadLen returns the length of the payload that b starts with, 0 when b ends too early.
func payloadLen(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	n := 1
	if b[0] >= presence {
		return n
	}
	for mask := b[0]; mask != 0; mask &= mask - 1 {
		_, m := uvarint(b[n:])
		if m <= 0 {
			return 0
		}
		n += m
	}
	return n
}

// uvarint is binary.Uvarint with a short way for the one-byte numbers that most are.
func uvarint(b []byte) (x uint64, n int) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	return binary.Uvarint(b)
}

// countLive returns how many of a list's documents are not in the bitmap of dead ones.
func countLive(postings []byte, docs uint32, dead []uint64) int {
	n := 0
	c := newCursor(postings, docs) // outside the loop, which would copy it for each round
	for c.doc != exhausted {
		if !isDead(dead, c.doc) {
			n++
		}
		if _, ok := c.hop(); !ok {
			c.next()
		}
	}
	return n
}

// isDead reports whether the bitmap, which may be short, has the document's bit.
func isDead(dead []uint64, doc uint32) bool {
	return int(doc/64) < len(dead) && dead[doc/64]&(1<<(doc%64)) != 0
}
