package vfs

import "bytes"

// isBinary reports whether a file that begins with start holds no text: by its signature, or by its share of odd bytes.
func isBinary(start []byte) bool { return hasSignature(start) || looksBinary(start) }

// signatures open files of well-known formats that hold no text. None of them could open a text that a person wrote.
var signatures = [][]byte{
	[]byte("\x89PNG\r\n\x1a\n"), {0xff, 0xd8, 0xff}, []byte("GIF87a"), []byte("GIF89a"), []byte("II*\x00"), []byte("MM\x00*"),
	[]byte("%PDF-"), {'P', 'K', 3, 4}, {'P', 'K', 5, 6}, {0x1f, 0x8b}, {0xfd, '7', 'z', 'X', 'Z', 0}, {0x28, 0xb5, 0x2f, 0xfd},
	{'7', 'z', 0xbc, 0xaf, 0x27, 0x1c}, []byte("Rar!\x1a\x07"), {0x7f, 'E', 'L', 'F'}, {0xca, 0xfe, 0xba, 0xbe},
	{0xfe, 0xed, 0xfa, 0xce}, {0xfe, 0xed, 0xfa, 0xcf}, {0xce, 0xfa, 0xed, 0xfe}, {0xcf, 0xfa, 0xed, 0xfe}, {0, 'a', 's', 'm'},
	[]byte("SQLite format 3\x00"), []byte("OggS\x00"), {0x1a, 0x45, 0xdf, 0xa3}, []byte("wOFF\x00"), []byte("wOF2\x00"),
	[]byte("OTTO\x00"), {0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1}, []byte("!<arch>\n"), []byte("fLaC\x00"),
}

func hasSignature(start []byte) bool {
	for _, s := range signatures {
		if bytes.HasPrefix(start, s) {
			return true
		}
	}
	return false
}
