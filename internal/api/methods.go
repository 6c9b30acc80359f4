package api

// Version is the version of the contract, announced in capabilities.experimental.aurora.protocol.
const Version = 1

// Prefix is what all methods of the contract begin with.
const Prefix = "aurora/"

// CommandPrefix is what the workspace/executeCommand form of a method begins with.
const CommandPrefix = "aurora."

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

// ClientFeatures are what a client announces in initializationOptions.aurora.client. What it does not announce it is never
// sent: unknown messages stop some clients.
type ClientFeatures struct {
	Ask      bool `json:"ask,omitempty"`
	Complete bool `json:"complete,omitempty"`
	Progress bool `json:"progress,omitempty"`
	Status   bool `json:"status,omitempty"`
	// Restricted says that the editor does not trust the folder itself: nobody is asked to trust it, and nothing can make it
	// trusted through this client.
	Restricted bool `json:"restricted,omitempty"`
	// EditNote says that the editor has the command aurora.review.edit, which opens the memory record whose id is its argument.
	EditNote bool `json:"editNote,omitempty"`
	// ServedElsewhere are the identifiers of the languages for which another server of the editor tells definitions: hovers
	// leave them out, and workspace symbols list nothing of these languages.
	ServedElsewhere []string `json:"servedElsewhere,omitempty"`
}

// Announcement is capabilities.experimental.aurora.
type Announcement struct {
	Protocol int      `json:"protocol"`
	Methods  []string `json:"methods"`
}
