package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
)

// streamOf turns a completion that came in one piece into the events of a stream: some servers take no notice of "stream".
// Whatever else answers, an error included, stays as it is.
func streamOf(request *http.Request, response *http.Response) error {
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if response.StatusCode != http.StatusOK || kind != "application/json" || !strings.Contains(request.Header.Get("Accept"), "text/event-stream") {
		return nil
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil {
		return fmt.Errorf("read the reply: %w", err)
	}
	if events := eventsOf(body); events != nil {
		body = events
		response.Header.Set("Content-Type", "text/event-stream")
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	return nil
}

// eventsOf are the events that say the same as a completion; nil when it is none.
func eventsOf(body []byte) []byte {
	var completion map[string]any
	if json.Unmarshal(body, &completion) != nil {
		return nil
	}
	choices, _ := completion["choices"].([]any)
	for _, c := range choices {
		choice, _ := c.(map[string]any)
		message, ok := choice["message"].(map[string]any)
		if !ok {
			return nil
		}
		calls, _ := message["tool_calls"].([]any)
		for i := range calls {
			if call, ok := calls[i].(map[string]any); ok {
				call["index"] = i
			}
		}
		delete(choice, "message")
		choice["delta"] = message
		if reason, _ := choice["finish_reason"].(string); reason == "" {
			choice["finish_reason"] = "stop"
		}
	}
	event, err := json.Marshal(completion)
	if err != nil || len(choices) == 0 {
		return nil
	}
	return fmt.Appendf(nil, "data: %s\n\ndata: [DONE]\n\n", event)
}
