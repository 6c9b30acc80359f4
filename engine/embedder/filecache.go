package embedder

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/aurora-sidecar/aurora/index/embed"
)

// A FileCache keeps the vectors of one space in a file, so that what was sent once is not sent again. Several processes may
// use the file at once: each adds whole records at its end, and reads those of the others when it opens the file the
// next time.
//
// A record is the key, the vector and a checksum over both. Reading ends at the first record that is damaged or cut; what
// follows it is made again.
type FileCache struct {
	dims int

	mu      sync.Mutex
	file    *os.File // nil keeps vectors in memory only
	vectors map[Key]embed.Vector
}

const fileCacheMagic = "AURORAV1"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// OpenFileCache opens the cache of a space below dir, which is made when it is not there. dir "" keeps vectors in memory.
// The vectors of all spaces but this one stay as they are; see RemoveOthers.
func OpenFileCache(dir string, space embed.ID) (*FileCache, error) {
	c := &FileCache{dims: space.Dimensions, vectors: map[Key]embed.Vector{}}
	if dir == "" {
		return c, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("open vectors: %w", err)
	}
	file, err := os.OpenFile(filepath.Join(dir, spaceFile(space)), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open vectors: %w", err)
	}
	c.file = file
	if err := c.load(); err != nil {
		file.Close()
		return nil, fmt.Errorf("open vectors: %w", err)
	}
	return c, nil
}

func spaceFile(space embed.ID) string {
	sum := sha256.Sum256([]byte(space.String()))
	return fmt.Sprintf("%x.vec", sum[:8])
}

// load reads the records, and cuts off what is damaged.
func (c *FileCache) load() error {
	data, err := io.ReadAll(c.file)
	if err != nil {
		return err
	}
	if len(data) == 0 {
		_, err := c.file.WriteString(fileCacheMagic)
		return err
	}
	good := 0
	if len(data) >= len(fileCacheMagic) && string(data[:len(fileCacheMagic)]) == fileCacheMagic {
		good = len(fileCacheMagic)
		for size := c.recordSize(); len(data)-good >= size; good += size {
			record := data[good : good+size]
			if crc32.Checksum(record[:size-4], castagnoli) != binary.LittleEndian.Uint32(record[size-4:]) {
				break
			}
			v := make(embed.Vector, c.dims)
			for i := range v {
				v[i] = int8(record[sha256.Size+i])
			}
			c.vectors[Key(record[:sha256.Size])] = v
		}
	}
	if good == len(data) {
		return nil
	}
	if err := c.file.Truncate(int64(good)); err != nil {
		return err
	}
	if good == 0 {
		_, err = c.file.WriteString(fileCacheMagic)
	}
	return err
}

func (c *FileCache) recordSize() int { return sha256.Size + c.dims + 4 }

// Get returns the vector of a text, if it is kept.
func (c *FileCache) Get(k Key) (embed.Vector, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.vectors[k]
	return v, ok
}

// Put keeps a vector of the right length, which nobody changes afterwards. What can't be written is kept in memory.
func (c *FileCache) Put(k Key, v embed.Vector) {
	if len(v) != c.dims {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.vectors[k]; known {
		return
	}
	c.vectors[k] = v
	if c.file == nil {
		return
	}
	record := make([]byte, 0, c.recordSize())
	record = append(record, k[:]...)
	for _, x := range v {
		record = append(record, byte(x))
	}
	record = binary.LittleEndian.AppendUint32(record, crc32.Checksum(record, castagnoli))
	if _, err := c.file.Write(record); err != nil {
		c.file.Close()
		c.file = nil
	}
}

// Len is the number of vectors.
func (c *FileCache) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.vectors)
}

// Close closes the file.
func (c *FileCache) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.file == nil {
		return nil
	}
	err := c.file.Close()
	c.file = nil
	return err
}

// RemoveOthers deletes the vectors of all spaces but one and returns how many files there were.
func RemoveOthers(dir string, keep embed.ID) (removed int, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.vec"))
	if err != nil {
		return 0, fmt.Errorf("remove vectors: %w", err)
	}
	var errs []error
	for _, file := range files {
		if filepath.Base(file) == spaceFile(keep) {
			continue
		}
		if err := os.Remove(file); err != nil {
			errs = append(errs, fmt.Errorf("remove vectors: %w", err))
			continue
		}
		removed++
	}
	return removed, errors.Join(errs...)
}
