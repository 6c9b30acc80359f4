package remotecache

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// MaxEntry is the largest content of an entry in bytes.
	MaxEntry = 512 << 10
	maxPack  = 1 << 30 // bytes
	maxExtra = 8 << 10 // bytes of an ActionResult beside its statement

	// slowest is the least rate at which a pack is worth its download, in bytes a second: a pack of 1 MB stands for more than a
	// second of parsing.
	slowest = 4 << 20

	parallel   = 8                // requests at a time
	uploadTime = 10 * time.Minute // of one value at most
	restTime   = 10 * time.Minute // for which a place that failed is left alone
)

// Options say where a cache is and whose entries count.
type Options struct {
	Address   string            // URL, or absolute path of a folder
	Token     string            // for a server; "" for none
	PublicKey ed25519.PublicKey // of whom entries are taken
	// Patience is how long an answer may take, beyond what its bytes need; 0 means 2 s.
	Patience time.Duration
	// Now measures how long entries take, and how long a place that failed is left alone; nil means time.Now.
	Now func() time.Time
}

// A Cache asks one place. It may be used by many goroutines at once.
type Cache struct {
	opts  Options
	place place

	mu     sync.Mutex
	failed error     // why the place is left alone
	until  time.Time // for how long

	trip atomic.Int64 // nanoseconds that an entry took lately, 0 before the first
	hits atomic.Int64 // entries that were there, less those that were not
}

// New returns the cache of an address. It asks nothing yet.
func New(o Options) (*Cache, error) {
	if o.Patience <= 0 {
		o.Patience = 2 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if len(o.PublicKey) != ed25519.PublicKeySize {
		return nil, errors.New("a shared cache needs the public key of whom its entries are taken")
	}
	p, err := newPlace(o)
	if err != nil {
		return nil, err
	}
	return &Cache{opts: o, place: p}, nil
}

// Address is where the cache is.
func (c *Cache) Address() string { return c.opts.Address }

// Err is why the place is left alone at the moment, nil when it is not.
func (c *Cache) Err() error {
	_, err := c.Failed()
	return err
}

// Failed is Err, and when that was.
func (c *Cache) Failed() (at time.Time, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.opts.Now().Before(c.until) {
		return c.until.Add(-restTime), c.failed
	}
	return time.Time{}, nil
}

// ofContent reports whether an error is about one value, and not about the place.
func ofContent(err error) bool {
	return errors.Is(err, ErrForm) || errors.Is(err, ErrVersion) || errors.Is(err, ErrSignature) || errors.Is(err, ErrSum)
}

// fail leaves the place alone for a while, unless the error is about one value, or the caller has ended.
func (c *Cache) fail(ctx context.Context, err error) {
	if err == nil || errors.Is(err, ErrNone) || ofContent(err) || errors.Is(context.Cause(ctx), context.Canceled) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failed, c.until = err, c.opts.Now().Add(restTime)
}

// Load returns the content of an entry. Errors are those of this package, or why the place can't be asked.
func (c *Cache) Load(ctx context.Context, key Key) ([]byte, error) {
	start := c.opts.Now()
	body, err := c.statement(ctx, kindEntry, key, MaxEntry)
	switch {
	case err == nil:
		c.hits.Add(1)
		c.noteTrip(c.opts.Now().Sub(start))
	case errors.Is(err, ErrNone), ofContent(err):
		c.hits.Add(-1)
		c.noteTrip(c.opts.Now().Sub(start))
	}
	return body, err
}

// noteTrip keeps a moving mean of how long an entry takes.
func (c *Cache) noteTrip(d time.Duration) {
	if old := c.trip.Load(); old > 0 {
		d = (7*time.Duration(old) + d) / 8
	}
	c.trip.Store(int64(d))
}

// missesBorne is how many more misses than hits there may be before entries are not asked for any more.
const missesBorne = 32

// Worth reports whether asking for an entry is likely to take less time than d, in which it can be computed.
func (c *Cache) Worth(d time.Duration) bool {
	return time.Duration(c.trip.Load()) < d && c.hits.Load() > -missesBorne && c.Err() == nil
}

// FindPack returns the number of the first key that has a pack. The error is ErrNone when none has, what is wrong with one
// that counts for nothing, or why the place can't be asked. All of it takes no longer than the patience of the cache.
func (c *Cache) FindPack(ctx context.Context, keys []Key) (int, Pack, error) {
	within, cancel := context.WithTimeoutCause(ctx, c.opts.Patience, c.silence())
	defer cancel()
	none := ErrNone
	for from := 0; from < len(keys); from += parallel {
		group := keys[from:min(from+parallel, len(keys))]
		packs, errs := make([]Pack, len(group)), make([]error, len(group))
		var all sync.WaitGroup
		for i, key := range group {
			all.Go(func() { packs[i], errs[i] = c.pack(within, key) })
		}
		all.Wait()
		for i, err := range errs {
			switch {
			case err == nil:
				return from + i, packs[i], nil
			case ofContent(err):
				none = err
			case !errors.Is(err, ErrNone):
				return 0, Pack{}, err
			}
		}
	}
	return 0, Pack{}, none
}

var errGone = errors.New("the pack's bytes are gone, although its name is there")

// A Pack is a large value that lies in the place.
type Pack struct{ blob blob }

// Size is that of the pack in bytes.
func (p Pack) Size() int64 { return p.blob.size }

func (c *Cache) pack(ctx context.Context, key Key) (p Pack, err error) {
	start := c.opts.Now()
	body, err := c.statement(ctx, kindPack, key, packBody)
	if err == nil || errors.Is(err, ErrNone) {
		c.noteTrip(c.opts.Now().Sub(start))
	}
	if err == nil {
		p.blob, err = blobOf(body)
	}
	return p, err
}

// LoadPack returns the bytes of a pack.
func (c *Cache) LoadPack(ctx context.Context, p Pack) ([]byte, error) {
	data, err := c.read(ctx, p.blob.name(), p.blob.size)
	switch {
	case errors.Is(err, ErrNone):
		return nil, errGone
	case err == nil && (int64(len(data)) != p.blob.size || sha256.Sum256(data) != p.blob.sum):
		err = ErrSum
	}
	if err != nil {
		c.fail(ctx, err)
		return nil, err
	}
	return data, nil
}

// statement returns the signed body of at most limit bytes that lies under a key.
func (c *Cache) statement(ctx context.Context, kind byte, key Key, limit int64) ([]byte, error) {
	result, err := c.read(ctx, nameOf(key), limit+int64(headerSize)+maxExtra)
	if err == nil {
		result, err = statementOf(result)
	}
	if err == nil {
		result, err = unseal(c.opts.PublicKey, kind, key, result)
	}
	if err == nil && int64(len(result)) > limit {
		err = ErrForm
	}
	if err != nil {
		c.fail(ctx, err)
		return nil, err
	}
	return result, nil
}

func nameOf(key Key) string { return "ac/" + hex.EncodeToString(key[:]) }

func (c *Cache) silence() error {
	return fmt.Errorf("it did not answer within %s", c.opts.Patience)
}

// read returns at most limit bytes of a value. It does not wait for a place that hangs, or that is slower than parsing.
func (c *Cache) read(ctx context.Context, name string, limit int64) ([]byte, error) {
	if err := c.Err(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := &watched{ctx: ctx, limit: limit}
	type outcome struct {
		data []byte
		err  error
	}
	done := make(chan outcome, 1)
	go func() { // a folder on a network that is away can't be interrupted
		data, err := w.readAll(c.place, name)
		done <- outcome{data, err}
	}()
	for start, due := time.Now(), c.opts.Patience; ; {
		timer := time.NewTimer(due - time.Since(start))
		select {
		case o := <-done:
			timer.Stop()
			if o.err != nil && ctx.Err() != nil {
				o.err = context.Cause(ctx)
			}
			return o.data, o.err
		case <-ctx.Done():
			timer.Stop()
			return nil, context.Cause(ctx)
		case <-timer.C:
		}
		n := w.bytes.Load()
		next := c.opts.Patience + time.Duration(n)*time.Second/slowest
		if next <= time.Since(start) {
			if n == 0 {
				return nil, c.silence()
			}
			return nil, fmt.Errorf("it is slower than parsing: %d KB in %.1f s", n>>10, time.Since(start).Seconds())
		}
		due = next
	}
}

// A watched reader counts what has come.
type watched struct {
	ctx   context.Context
	limit int64
	bytes atomic.Int64
	from  io.Reader
}

func (w *watched) readAll(p place, name string) ([]byte, error) {
	r, err := p.get(w.ctx, name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	w.from = r
	data, err := io.ReadAll(io.LimitReader(w, w.limit+1))
	if err == nil && int64(len(data)) > w.limit {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrForm, w.limit)
	}
	return data, err
}

// Read implements io.Reader.
func (w *watched) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.from.Read(p)
	w.bytes.Add(int64(n))
	return n, err
}

// A Writer puts values into the place of a cache, under the signature of its owner.
type Writer struct {
	cache *Cache
	owner ed25519.PrivateKey
}

// Writer returns a writer. The owner must be that of the public key.
func (c *Cache) Writer(owner ed25519.PrivateKey) (*Writer, error) {
	if len(owner) != ed25519.PrivateKeySize || !c.opts.PublicKey.Equal(owner.Public()) {
		return nil, errors.New("the signing key is not that of the public key in the settings")
	}
	return &Writer{c, owner}, nil
}

// Cache is what the writer fills.
func (w *Writer) Cache() *Cache { return w.cache }

// Store puts an entry of at most MaxEntry bytes into the place.
func (w *Writer) Store(ctx context.Context, key Key, content []byte) error {
	if len(content) > MaxEntry {
		return fmt.Errorf("an entry of %d bytes is too large", len(content))
	}
	return w.put(ctx, nameOf(key), actionResult(seal(w.owner, kindEntry, key, content), nil))
}

// StorePack puts a pack into the place: its bytes first, so that nobody finds the name of what is not there.
func (w *Writer) StorePack(ctx context.Context, key Key, data []byte) error {
	if len(data) > maxPack {
		return fmt.Errorf("a pack of %d MB is too large", len(data)>>20)
	}
	b := blob{sha256.Sum256(data), int64(len(data))}
	if err := w.put(ctx, b.name(), data); err != nil {
		return err
	}
	return w.put(ctx, nameOf(key), actionResult(seal(w.owner, kindPack, key, b.body()), &b))
}

func (w *Writer) put(ctx context.Context, name string, value []byte) error {
	ctx, cancel := context.WithTimeout(ctx, uploadTime)
	defer cancel()
	return w.cache.place.put(ctx, name, value)
}

// Explain says in a clause what went wrong, with what to do about it.
func Explain(err error) string {
	text := err.Error()
	switch {
	case errors.Is(err, ErrSignature):
		return text + "; somebody else has written it, or storage.shared_cache.public_key is wrong"
	case strings.Contains(text, "certificate"):
		return text + "; the server's certificate must be valid and known to this machine"
	case strings.Contains(text, "no space left"), strings.Contains(text, "disk quota"):
		return text + "; make room there"
	}
	return text
}
