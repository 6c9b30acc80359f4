package server

import (
	"context"
	"encoding/json"
	"path/filepath"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/api/jsonrpc"
	"github.com/aurora-sidecar/aurora/lsp/server/internal/parent"
)

// initializeParams are the members of LSP's InitializeParams that matter here.
type initializeParams struct {
	ProcessID  *int `json:"processId"`
	ClientInfo struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"clientInfo"`
	RootURI               *string           `json:"rootUri"`
	RootPath              *string           `json:"rootPath"`
	WorkspaceFolders      []workspaceFolder `json:"workspaceFolders"`
	Capabilities          json.RawMessage   `json:"capabilities"`
	InitializationOptions json.RawMessage   `json:"initializationOptions"`
}

type workspaceFolder struct {
	URI string `json:"uri"`
}

// initialize negotiates. Nothing is indexed before initialized: the answer must not wait for it.
func (s *session) initialize(_ context.Context, params json.RawMessage) (any, error) {
	var p initializeParams
	if err := api.Decode(params, &p); err != nil {
		return nil, err
	}
	options := newTree(p.InitializationOptions)
	info := readClient(p.ClientInfo.Name, newTree(p.Capabilities), options)
	s.client.Store(info)
	changed := s.config.settings.Load().with(options, s.log)
	s.config.settings.Store(&changed)
	s.config.configureIndex(s.config.takeSettings(options))
	s.setFolders(p.folders())
	if p.ProcessID != nil && *p.ProcessID > 0 {
		s.workers.run(func() {
			if parent.Wait(s.ctx, *p.ProcessID) {
				close(s.parent)
			}
		})
	}
	s.log.Info("client connected", "client", info.name, "version", p.ClientInfo.Version,
		"encoding", api.EncodingName(info.encoding), "folders", s.Folders())
	return jsonrpc.Encode(s.initializeResult(info))
}

// folders are the workspace folders, from the newest of the three ways to tell them.
func (p *initializeParams) folders() []string {
	var uris []string
	for _, folder := range p.WorkspaceFolders {
		uris = append(uris, folder.URI)
	}
	if len(uris) == 0 && p.RootURI != nil {
		uris = []string{*p.RootURI}
	}
	var paths []string
	for _, u := range uris {
		if path, ok := api.FilePath(u); ok {
			paths = append(paths, path)
		}
	}
	if len(uris) == 0 && p.RootPath != nil && filepath.IsAbs(*p.RootPath) {
		paths = []string{filepath.Clean(*p.RootPath)}
	}
	return paths
}

// initialized starts what must not delay the answer to initialize.
func (s *session) initialized(context.Context, json.RawMessage) error {
	s.hub.takeFolders(s.peer, s.Folders())
	s.follow()
	s.review.start()
	s.workers.run(s.person.reviewTrust)
	return nil
}

// shutdown only marks the end; what is open is closed with the connection.
func (s *session) shutdown(context.Context, json.RawMessage) (any, error) { return nil, nil }
