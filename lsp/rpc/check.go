package rpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/jsonrpc2"
)

// A fault is a body that must not reach jsonrpc2, because it would end the connection.
type fault struct {
	code    jsonrpc2.Code
	message string
	id      json.RawMessage // as the client wrote it; nil means null
	silent  bool            // a broken answer: there is nobody to complain to
}

// lenient is what jsonrpc2 accepts, too.
var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// check looks at a body before jsonrpc2 does. answers tells whether jsonrpc2 will write a frame in return.
func check(body []byte) (answers bool, f *fault) {
	if !jsontext.Value(body).IsValid(lenient...) {
		return false, &fault{code: jsonrpc2.ParseError, message: "the body is not valid JSON"}
	}
	switch trimmed := bytes.TrimLeft(body, " \t\r\n"); trimmed[0] {
	case '[':
		return checkBatch(body)
	case '{':
		return checkMessage(body)
	default:
		return false, &fault{code: jsonrpc2.InvalidRequest, message: "a message must be an object or an array of objects"}
	}
}

func checkBatch(body []byte) (answers bool, f *fault) {
	members, err := jsonrpc2.ParseRequests(body)
	if err != nil {
		return false, &fault{code: jsonrpc2.InvalidRequest, message: "the batch can't be read: " + err.Error()}
	}
	for _, m := range members {
		if _, isCall := m.Msg.(*jsonrpc2.Call); isCall || m.Err != nil {
			return true, nil
		}
	}
	return len(members) == 0, nil
}

func checkMessage(body []byte) (answers bool, f *fault) {
	message, err := jsonrpc2.DecodeMessage(body)
	if err == nil {
		_, answers = message.(*jsonrpc2.Call)
		return answers, nil
	}
	return false, diagnose(body)
}

// envelope holds the members of a message as they were written.
type envelope struct {
	Version json.RawMessage `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  json.RawMessage `json:"method"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
}

// diagnose says what is wrong with an object that is no JSON-RPC message.
func diagnose(body []byte) *fault {
	var e envelope
	if err := json.Unmarshal(body, &e); err != nil {
		return &fault{code: jsonrpc2.InvalidRequest, message: "the message can't be read: " + err.Error()}
	}
	f := &fault{code: jsonrpc2.InvalidRequest, silent: e.Method == nil && (e.Result != nil || e.Error != nil)}
	if isScalarID(e.ID) {
		f.id = bytes.Clone(e.ID)
	}
	switch {
	case string(e.Version) != `"2.0"`:
		f.message = `"jsonrpc" must be "2.0"`
	case e.Method != nil && !bytes.HasPrefix(e.Method, []byte(`"`)):
		f.message = `"method" must be a string`
	case e.ID != nil && !isWireID(e.ID):
		f.message = fmt.Sprintf(`"id" must be a string or a whole number of 64 bits, not %.40s`, e.ID)
	default:
		f.message = `a message needs "method", or "id" with either "result" or "error"`
	}
	return f
}

// isScalarID reports whether the id can be sent back as it came.
func isScalarID(id json.RawMessage) bool {
	return len(id) > 0 && len(id) <= 256 && strings.IndexByte(`"-0123456789`, id[0]) >= 0
}

// isWireID reports whether jsonrpc2 can hold the id.
func isWireID(id json.RawMessage) bool {
	var n int64
	return id[0] == '"' || string(id) == "null" || json.Unmarshal(id, &n) == nil
}

// answer is the response that tells of the fault.
func (f *fault) answer() []byte {
	id := f.id
	if id == nil {
		id = json.RawMessage("null")
	}
	message, _ := json.Marshal(f.message) // a string always marshals
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, id, f.code, message)
}
