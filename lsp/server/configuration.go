package server

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aurora-sidecar/aurora/internal/config"
	lsp "go.lsp.dev/protocol"
)

// askTimeout bounds how long a client may take to answer a request that no person has to think about.
const askTimeout = 5 * time.Second

// A configuration is what the client has set.
type configuration struct {
	*peer
	hub      *Hub
	settings atomic.Pointer[settings]
	changed  func() // is told of the client's new settings

	sentMu sync.Mutex
	sent   map[string]any // the settings of the index that the client sent last
	turn   uint64         // grows with each of them
}

func newConfiguration(p *peer, h *Hub) *configuration {
	c := &configuration{peer: p, hub: h}
	c.settings.Store(&settings{})
	return c
}

// configurationParams are the parameters of workspace/didChangeConfiguration.
type configurationParams struct {
	Settings json.RawMessage `json:"settings"`
}

// didChangeConfiguration takes the settings that came along, or asks for them when the client only said that they
// have changed.
func (c *configuration) didChangeConfiguration(_ context.Context, p *configurationParams) error {
	if sent := newTree(p.Settings); sent.exists() {
		c.configure(sent)
		return nil
	}
	if c.client.Load().configuration {
		c.workers.run(c.pullConfiguration)
	}
	return nil
}

func (c *configuration) pullConfiguration() {
	ctx, cancel := context.WithTimeout(c.ctx, askTimeout)
	defer cancel()
	section := "aurora"
	values, err := c.conn.Client().Configuration(ctx, &lsp.ConfigurationParams{Items: []lsp.ConfigurationItem{{Section: &section}}})
	if err != nil || len(values) == 0 {
		c.log.Warn("ask the client for its settings", "err", err)
		return
	}
	c.configure(newTree(json.RawMessage(values[0])))
}

func (c *configuration) configure(sent tree) {
	before := c.features()
	changed := c.settings.Load().with(sent, c.log)
	c.settings.Store(&changed)
	if c.features().CodeLens != before.CodeLens && c.client.Load().lensRefresh {
		c.workers.run(func() {
			if err := c.conn.Client().CodeLensRefresh(c.ctx); err != nil && c.ctx.Err() == nil {
				c.log.Info("the client does not ask for its lenses again", "err", err)
			}
		})
	}
	c.changed()
	c.announce(sent)
	if next, isNew := c.takeSettings(sent); isNew {
		c.workers.run(func() { c.configureIndex(next, true) })
	}
}

// announce takes what a client says of the model that it lends and of the editor's other servers, each time: they may come
// and go while the editor runs.
func (c *configuration) announce(sent tree) {
	if under := sent.at("aurora"); under.exists() {
		sent = under
	}
	complete, elsewhere := sent.at("client", "complete"), sent.at("client", "servedElsewhere")
	info := *c.client.Load()
	if complete.exists() {
		info.aurora.Complete = complete.isTrue()
	}
	if elsewhere.exists() {
		info.aurora.ServedElsewhere = elsewhere.strings()
	}
	c.client.Store(&info)
}

// takeSettings notes what a client sent, and reports whether it has to be applied: who never sends any settings
// leaves those of other clients alone.
func (c *configuration) takeSettings(sent tree) (next sentSettings, isNew bool) {
	values := sent.settings()
	c.sentMu.Lock()
	defer c.sentMu.Unlock()
	if values == nil || len(values) == 0 && len(c.sent) == 0 {
		return next, false
	}
	c.sent = values
	c.turn++
	return sentSettings{values, c.turn}, true
}

// sentSettings are what a client sent, in their turn.
type sentSettings struct {
	values map[string]any
	turn   uint64
}

// newest reports whether the client has sent nothing else since.
func (c *configuration) newest(turn uint64) bool {
	c.sentMu.Lock()
	defer c.sentMu.Unlock()
	return c.turn == turn
}

// configureIndex makes settings effective for everybody who shares the index: the client that spoke last counts.
func (c *configuration) configureIndex(next sentSettings, isNew bool) {
	if !isNew || c.hub.opts.Configure == nil {
		return
	}
	c.hub.configMu.Lock()
	defer c.hub.configMu.Unlock()
	if !c.newest(next.turn) {
		return
	}
	c.tellBadSettings(c.hub.opts.Configure(next.values))
}

// rereadSettings applies a configuration file that was just saved.
func (c *configuration) rereadSettings(path string) {
	if c.hub.opts.Configure == nil || !config.IsFile(path) {
		return
	}
	c.workers.run(func() {
		c.hub.configMu.Lock()
		defer c.hub.configMu.Unlock()
		c.tellBadSettings(c.hub.opts.Configure(nil))
	})
}

// tellBadSettings shows what is wrong with the settings; the last good ones stay effective.
func (c *configuration) tellBadSettings(err error) {
	c.news.Signal()
	if err == nil {
		return
	}
	c.log.Warn("bad settings; the last good ones stay effective", "err", err)
	c.workers.run(func() {
		err := c.conn.Client().ShowMessage(c.ctx, &lsp.ShowMessageParams{Type: lsp.MessageTypeWarning, Message: "AURORA: " + err.Error()})
		if err != nil && c.ctx.Err() == nil {
			c.log.Warn("tell bad settings", "err", err)
		}
	})
}
