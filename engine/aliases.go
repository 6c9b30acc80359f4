package engine

import (
	"github.com/aurora-sidecar/aurora/engine/assemble"
	"github.com/aurora-sidecar/aurora/engine/capture"
	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/codeintel"
	"github.com/aurora-sidecar/aurora/engine/codeintel/finding"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/indexing"
	"github.com/aurora-sidecar/aurora/engine/reason"
	"github.com/aurora-sidecar/aurora/engine/recall"
	"github.com/aurora-sidecar/aurora/engine/search"
	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/engine/semantic"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/memory"
)

// What the parts of the engine define and its callers handle.
type (
	ContextRequest = assemble.Request
	ContextResult  = assemble.Result
	ContextTokens  = assemble.Tokens
	Task           = assemble.Task

	CaptureRequest = capture.Request
	CaptureOffer   = capture.Offer

	Action         = codeintel.Action
	Edge           = codeintel.Edge
	HoverResult    = codeintel.HoverResult
	RelatedRequest = codeintel.RelatedRequest
	ReviewRequest  = codeintel.ReviewRequest
	ReviewResult   = codeintel.ReviewResult
	ReviewPlace    = finding.Place
	ReviewFinding  = finding.Finding
	WhyRequest     = codeintel.WhyRequest
	WhyResult      = codeintel.WhyResult
	WhyCommit      = codeintel.WhyCommit
	RelatedResult  = codeintel.RelatedResult

	Account         = recall.Account
	Audit           = recall.Audit
	Finding         = recall.Finding
	Pair            = recall.Pair
	ForgottenRecord = recall.ForgottenRecord
	RecordEntry     = recall.RecordEntry
	RememberRequest = recall.RememberRequest
	Removal         = recall.Removal
	Revision        = recall.Revision

	Asker           = reason.Asker
	Assessment      = reason.Assessment
	Caller          = reason.Caller
	Cost            = reason.Cost
	Course          = reason.Course
	Decomposition   = reason.Decomposition
	Models          = reason.Models
	Phase           = reason.Phase
	Progress        = reason.Progress
	Consent         = reason.Consent
	QueryRequest    = reason.QueryRequest
	QueryResult     = reason.QueryResult
	Question        = reason.Question
	Spending        = reason.Spending
	Subgoal         = reason.Subgoal
	Tokens          = reason.Tokens
	Verification    = reason.Verification
	VerifyRequest   = reason.VerifyRequest
	ReviewedFinding = reason.ReviewedFinding

	RebuildRequest = indexing.RebuildRequest
	RebuildResult  = indexing.RebuildResult
	TextRequest    = indexing.TextRequest
	TextResult     = indexing.TextResult

	Goal    = memory.Goal
	Learned = memory.Learned
	Link    = memory.Link
	Outcome = memory.Outcome

	Job     = index.Job
	JobInfo = index.JobInfo

	ContextProvider  = search.ContextProvider
	EmbeddingCounts  = semantic.EmbeddingCounts
	Embeddings       = semantic.Embeddings
	LocateRequest    = search.LocateRequest
	Location         = search.Location
	Proposal         = search.Proposal
	ProviderSettings = search.ProviderSettings
	ProviderStatus   = search.ProviderStatus
	ProviderType     = search.ProviderType
	Scope            = search.Scope
	SearchRequest    = search.Request
	SearchResult     = search.Result
	Tuning           = search.Tuning

	Buffers     = codebase.Buffers
	CitedPlace  = snippet.CitedPlace
	Error       = fault.Error
	GitInfo     = snippet.GitInfo
	Hit         = snippet.Hit
	HitMetadata = snippet.HitMetadata
	IndexState  = codebase.IndexState
	Kind        = fault.Kind
	Place       = codebase.Place
	Scores      = snippet.Scores
	Selection   = codebase.Selection
)

// The kinds of errors, see package fault.
const (
	Agent          = fault.Agent
	Budget         = fault.Budget
	ConfigInvalid  = fault.ConfigInvalid
	Confirmation   = fault.Confirmation
	Embedding      = fault.Embedding
	Guardrail      = fault.Guardrail
	Invalid        = fault.Invalid
	JobConflict    = fault.JobConflict
	Busy           = fault.Busy
	Stuck          = fault.Stuck
	LLMUnavailable = fault.LLMUnavailable
	NotFound       = fault.NotFound
	NotIndexed     = fault.NotIndexed
	Storage        = fault.Storage
)

// Where the knowledge in a hit comes from, see package snippet.
const (
	OriginAPI        = snippet.OriginAPI
	OriginAnswer     = snippet.OriginAnswer
	OriginDocs       = snippet.OriginDocs
	OriginImport     = snippet.OriginImport
	OriginLog        = snippet.OriginLog
	OriginNote       = snippet.OriginNote
	OriginRemembered = snippet.OriginRemembered
)

// The types of providers, see package search.
const (
	DependencyProvider = search.DependencyProvider
	FullTextProvider   = search.FullTextProvider
	GitHistoryProvider = search.GitHistoryProvider
	MemoryProvider     = search.MemoryProvider
	OwnProvider        = search.OwnProvider
	SemanticProvider   = search.SemanticProvider
	SymbolProvider     = search.SymbolProvider
)

// What questions say, see package reason.
const (
	ConfirmBudget = reason.ConfirmBudget
	NoModel       = reason.NoModel
)

// The views of ListRecords, see package recall.
const (
	ViewDecisions = recall.ViewDecisions
	ViewNotes     = recall.ViewNotes
	ViewPatterns  = recall.ViewPatterns
	ViewPinned    = recall.ViewPinned
	ViewRecent    = recall.ViewRecent
	ViewStale     = recall.ViewStale
)

var (
	// Directions are the values of RelatedRequest.Direction.
	Directions = codeintel.Directions
	// Fusions are the values of SearchRequest.Fusion.
	Fusions = rank.Fusions
	// SourceTypes are what records are made from.
	SourceTypes = search.SourceTypes
)

// CitedPlaces shows what a record cites.
func CitedPlaces(r *memory.Hit) []CitedPlace { return snippet.CitedPlaces(r) }

// CitationWarning says why what a record cites may no longer be true, "" when nothing speaks against it.
func CitationWarning(r *memory.Hit) string { return snippet.CitationWarning(r) }

// ReviewRules are the rules of a review with what they say.
func ReviewRules() [][2]string { return finding.Rules }
