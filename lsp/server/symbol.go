package server

import (
	"cmp"
	"context"
	"encoding/json"
	"path"
	"strings"
	"unicode"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/text"
	lsp "go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

const (
	symbolLimit = 100 // symbols in one answer
	symbolBatch = 25  // symbols in one partial result
)

// workspaceSymbol searches by name first: some editors drop what does not look like the typed text.
func (f *codeFeatures) workspaceSymbol(ctx context.Context, p *lsp.WorkspaceSymbolParams) (any, error) {
	result, err := f.engine.Symbols(ctx, p.Query, symbolLimit)
	if err != nil {
		return nil, err
	}
	f.engine.Seen(f.docs, result.Hits)
	symbols := lsp.WorkspaceSymbolSlice{}
	for i := range result.Hits {
		if f.client.Load().servesElsewhere(result.Hits[i].Language) {
			continue
		}
		if symbol, ok := toSymbol(&result.Hits[i], f.Encoding()); ok {
			symbols = append(symbols, symbol)
		}
	}
	if p.PartialResultToken == nil {
		return symbols, nil
	}
	for len(symbols) > 0 {
		n := min(symbolBatch, len(symbols))
		if err := f.sendPartial(ctx, p.PartialResultToken, symbols[:n]); err != nil {
			return nil, err
		}
		symbols = symbols[n:]
	}
	return symbols, nil // all of it was sent
}

func (f *codeFeatures) sendPartial(ctx context.Context, token lsp.ProgressToken, symbols lsp.WorkspaceSymbolSlice) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	raw, err := lsp.Marshal(symbols)
	if err != nil {
		return err
	}
	return f.conn.Client().Progress(ctx, &lsp.ProgressParams{Token: token, Value: raw})
}

// symbolData is what workspaceSymbol/resolve needs to find a symbol again.
type symbolData struct {
	ID     string `json:"id"`               // of its chunk
	Symbol string `json:"symbol,omitempty"` // its kind, when it is none itself
}

// toSymbol converts a hit. Memory records without a place can't be jumped to and are left to aurora/search.
func toSymbol(h *engine.Hit, enc text.Encoding) (lsp.WorkspaceSymbol, bool) {
	place := h.NameRange
	if place == nil {
		place = h.Range
	}
	if h.Abs == "" || place == nil {
		return lsp.WorkspaceSymbol{}, false
	}
	name := h.Name
	if name == "" {
		name = path.Base(h.Path)
	}
	container := h.Container
	if container == "" {
		container = h.Path
	}
	data, _ := json.Marshal(symbolData{ID: h.ID, Symbol: symbolOf(h.Kind)}) // strings always marshal
	return lsp.WorkspaceSymbol{
		BaseSymbolInformation: lsp.BaseSymbolInformation{Name: name, Kind: symbolKind(h.Type, h.Kind, h.Name, h.Container, h.Signature), ContainerName: &container},
		Location: &lsp.Location{
			URI: uri.URI(api.FileURI(h.Abs)), Range: toLSPRange(api.FromRange(*place, enc)),
		},
		Data: data,
	}, true
}

// symbolKinds are LSP's kinds of what the index tells apart by itself.
var symbolKinds = map[string]lsp.SymbolKind{
	"CODE_CONSTANT": lsp.SymbolKindConstant, "CODE_VARIABLE": lsp.SymbolKindVariable, "CODE_FIELD": lsp.SymbolKindField,
	"CODE_PROPERTY": lsp.SymbolKindProperty, "CODE_ENUM_MEMBER": lsp.SymbolKindEnumMember, "CODE_MACRO": lsp.SymbolKindConstant,
	"CODE_METHOD": lsp.SymbolKindMethod, "CODE_TYPE": lsp.SymbolKindClass, "CODE_NAMESPACE": lsp.SymbolKindNamespace,
	"CODE_TABLE": lsp.SymbolKindStruct, "CODE_COLUMN": lsp.SymbolKindField, "CODE_SELECTOR": lsp.SymbolKindClass,
	"CODE_KEY": lsp.SymbolKindKey, "CODE_TEST": lsp.SymbolKindMethod, "CODE_ROUTE": lsp.SymbolKindInterface, "MARKDOWN_SECTION": lsp.SymbolKindString,
}

// typeKinds are the kinds of types by the word that declares them.
var typeKinds = map[string]lsp.SymbolKind{
	"interface": lsp.SymbolKindInterface, "trait": lsp.SymbolKindInterface, "protocol": lsp.SymbolKindInterface,
	"enum": lsp.SymbolKindEnum, "struct": lsp.SymbolKindStruct, "union": lsp.SymbolKindStruct, "record": lsp.SymbolKindStruct,
	"message": lsp.SymbolKindStruct, "module": lsp.SymbolKindModule, "defmodule": lsp.SymbolKindModule,
}

// symbolKind is the kind of a hit or of a thing in a file in LSP's terms.
func symbolKind(hitType, kind, name, container, signature string) lsp.SymbolKind {
	switch hitType {
	case "function":
		return lsp.SymbolKindFunction
	case "method":
		if name == "__init__" || name == "constructor" || name == "initialize" || name == lastPart(container) {
			return lsp.SymbolKindConstructor
		}
		return lsp.SymbolKindMethod
	case "class":
		return typeKind(signature)
	}
	return cmp.Or(symbolKinds[kind], lsp.SymbolKindFile)
}

// typeKind tells interfaces, enums and structs by the words of their declaration.
func typeKind(signature string) lsp.SymbolKind {
	for word := range strings.FieldsFuncSeq(signature, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if kind, ok := typeKinds[word]; ok {
			return kind
		}
		if word == "class" {
			break
		}
	}
	return lsp.SymbolKindClass
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// symbolOf is the kind of a hit that is no chunk of its own, "" for the others.
func symbolOf(kind string) string {
	if _, ok := symbolKinds[kind]; ok && strings.HasPrefix(kind, "CODE_") {
		return kind
	}
	return ""
}

// resolveWorkspaceSymbol brings a symbol's place up to date; one that is gone stays as it was.
func (f *codeFeatures) resolveWorkspaceSymbol(_ context.Context, symbol *lsp.WorkspaceSymbol) (any, error) {
	var data symbolData
	if len(symbol.Data) == 0 || json.Unmarshal(symbol.Data, &data) != nil {
		return symbol, nil
	}
	ref, ok := f.engine.Index().Snapshot().ByID(data.ID)
	if !ok {
		return symbol, nil
	}
	content, fresh, ok := f.read(ref)
	if !ok {
		return symbol, nil
	}
	span := cmp.Or(fresh.Chunk().NameSpan, fresh.Chunk().Span)
	if data.Symbol != "" {
		if span, ok = nameOfSymbol(fresh, data.Symbol, symbol.Name); !ok {
			return symbol, nil
		}
	}
	place := api.FromOffsets(text.NewLines(content), span.Start, span.End, f.Encoding())
	symbol.Location = &lsp.Location{URI: uri.URI(api.FileURI(fresh.File.Abs)), Range: toLSPRange(place)}
	return symbol, nil
}

// read is the text of a chunk's file as the client has it, and the chunk in it.
func (f *codeFeatures) read(ref index.Ref) (content []byte, fresh index.Ref, ok bool) {
	if own, differs := f.docs.File(ref.File.Abs); differs {
		fresh, ok = own.ByID(ref.ID())
		return own.Buffer, fresh, ok
	}
	return f.engine.Index().Read(ref)
}

// nameOfSymbol is where the symbol of that kind and name stands in a chunk.
func nameOfSymbol(ref index.Ref, kind, name string) (chunk.Span, bool) {
	for s := range ref.File.Symbols.All() {
		if s.Chunk == ref.Index && s.Name == name && snippet.SymbolKind(s.Kind) == kind {
			return s.NameSpan, true
		}
	}
	return chunk.Span{}, false
}
