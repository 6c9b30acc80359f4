package protocol

// Version is the version of the contract, announced in capabilities.experimental.aurora.protocol.
const Version = 1

// Prefix is what all methods of the contract begin with.
const Prefix = "aurora/"

// CommandPrefix is what the workspace/executeCommand form of a method begins with.
const CommandPrefix = "aurora."

// Requests from the client.
const (
	MethodSearch        = Prefix + "search"
	MethodContext       = Prefix + "context"
	MethodQuery         = Prefix + "query"
	MethodRelated       = Prefix + "related"
	MethodRemember      = Prefix + "remember"
	MethodForget        = Prefix + "forget"
	MethodRestore       = Prefix + "restore"
	MethodStatus        = Prefix + "status"
	MethodRefresh       = Prefix + "refresh"
	MethodRebuild       = Prefix + "rebuild"
	MethodJob           = Prefix + "job"
	MethodCancelRebuild = Prefix + "cancelRebuild"
	MethodAssess        = Prefix + "assess"
	MethodDecompose     = Prefix + "decompose"
	MethodBudget        = Prefix + "budget"
	MethodRecords       = Prefix + "records"
	MethodRevise        = Prefix + "revise"
	MethodFeedback      = Prefix + "feedback"
	MethodHistory       = Prefix + "history"
	MethodAgents        = Prefix + "agents"
	MethodTrust         = Prefix + "trust"
)

// MethodDidUse is the notification by which a client tells what a person did with results.
const MethodDidUse = Prefix + "didUse"

// Messages from the server; only for clients that announced them, see Client.
const (
	MethodProgress        = Prefix + "progress"
	MethodDidChangeStatus = Prefix + "didChangeStatus"
	MethodComplete        = Prefix + "complete"
	MethodAsk             = Prefix + "ask"
)

// CommandOpenContext assembles context and shows it as a document.
const CommandOpenContext = CommandPrefix + "openContext"

// Client is what a client announces in initializationOptions.aurora.client. What it does not announce it is never
// sent: unknown messages stop some clients.
type Client struct {
	Ask      bool `json:"ask,omitempty"`
	Complete bool `json:"complete,omitempty"`
	Progress bool `json:"progress,omitempty"`
	Status   bool `json:"status,omitempty"`
}

// Announcement is capabilities.experimental.aurora.
type Announcement struct {
	Protocol int      `json:"protocol"`
	Methods  []string `json:"methods"`
}
