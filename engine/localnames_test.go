package engine

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/codeintel"
)

// TestSearchFindsLocalNames looks for names of scripts that are declared inside functions: variables before parameters, keys and
// functions that are an argument; what only a test declares comes behind ordinary code.
func TestSearchFindsLocalNames(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"src/pool.js": `function openPool(sizeLimit, { onDrain, retryDelay = 3 }) {
  if (sizeLimit) {
    warn(sizeLimit)
  }
  return wrap(async function runOnePool(resolve) {
    resolve({ queueDepth: 4 })
  })
}

function other() {
  return runOnePool || queueDepth
}
`,
		"src/order.js":       "function order(list) {\n  const widest = { lastColumn: 3 }\n  return list.map(entryOfList => entryOfList.x)\n}\n",
		"test/order.test.js": "it('orders', () => {\n  const shape = { lastColumn: 1 }\n  order(shape)\n})\n",
		"src/uses.js":        "function uses() {\n  while(lastColumn) {\n    run(onDrain)\n  }\n}\n",
		"src/events.js":      "function events(bus) {\n  // Sends the queue, which is drained.\n  bus.send('queue-drained', queue)\n}\n\nfunction queueDrained(queue) {\n  return queue.drained\n}\n",
		"package-lock.json":  "{\n  \"packages\": {\n    \"node_modules/retryDelay\": {\"version\": \"1.0.0\"}\n  }\n}\n",
	})
	for query, want := range map[string]string{
		"sizeLimit": "openPool", "onDrain": "openPool", "retryDelay": "openPool", "runOnePool": "openPool", "queueDepth": "openPool",
		"entryOfList": "order", "lastColumn": "lastColumn", "queue-drained": "events",
	} {
		hits := w.search(SearchRequest{Query: query}).Hits
		if len(hits) == 0 || hits[0].Name != want {
			t.Errorf("%s: got %v, want %s first", query, names(hits), want)
		}
	}
}

// TestSearchFindsKeysOfObjects looks for keys and functions of objects that are made inside functions or given to a call: their line is the
// hit, behind variables and what stands on its own; the outline has those of a module only.
func TestSearchFindsKeysOfObjects(t *testing.T) {
	const plugin = `import frozenCopy from 'frozen-copy'
const slice = createSlice({ name: 'cart', reducers: {
  addItem(state, item) { state.items.push(item) },
} })
export function plugin(options) {
  return {
    resolvePath(id) { return frozenCopy(id) },
    loadSource: (id) => id,
    retryCount: 3,
  }
}
`
	w := openWorkspace(t, map[string]string{
		"src/plugin.js": plugin,
		"src/other.js": "function other(retryTimes, resolvePath) {\n  const loadedOnce = use({ addItem: 1 })\n  return frozenCopy.cache + retryCount + retryTimes\n}\n" +
			"function third() {\n  return { loadedOnce: 1, retryTimes: 2 }\n}\nconst standing = 1\nfunction fourth() {\n  return { standing: 2 }\n}\n",
	})
	for query, want := range map[string]string{
		"addItem": "src/plugin.js:3", "resolvePath": "src/plugin.js:7", "loadSource": "src/plugin.js:8", "retryCount": "src/plugin.js:9",
		"frozenCopy": "src/plugin.js:1", "loadedOnce": "src/other.js:1", "retryTimes": "src/other.js:6", "standing": "src/other.js:8",
	} {
		hits := w.search(SearchRequest{Query: query}).Hits
		if len(hits) == 0 || hits[0].Path+":"+strconv.Itoa(hits[0].Line()) != want {
			t.Errorf("%s: got %v, want %s first", query, names(hits), want)
		}
	}
	tree, err := w.engine.Code().SymbolTree(context.Background(), Place{Path: w.path("src/plugin.js")})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	var walk func(list []*codeintel.NamedThing)
	walk = func(list []*codeintel.NamedThing) {
		for _, n := range list {
			got = append(got, n.Name)
			walk(n.Children)
		}
	}
	walk(tree)
	if s := strings.Join(got, " "); s != "slice name reducers addItem plugin" {
		t.Error(s)
	}
}

// TestSearchPrefersSources holds that a definition comes before its .d.ts file and before a bundle of the package, and that both are found
// when there is nothing else.
func TestSearchPrefersSources(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"index.d.ts":       "export enum HttpStatus {\n  Ok = 200,\n  Gone = 410,\n}\nexport interface Agent {\n  asHours(): number\n  onlyTyped: string\n}\nexport declare class OnlyTyped {\n  a: string\n}\n",
		"lib/mock/call.js": "export class MockCall {\n  callsByPath() { return 1 }\n}\n",
		"types/call.d.ts":  "export declare class MockCall {\n  callsByPath(): number\n}\n",
		"lib/agent.js":     "const HttpStatus = {\n  Ok: 200,\n}\nclass Agent {\n  asHours() { return 1 }\n}\nexport { HttpStatus, Agent }\n",
		"dist/agent.js": "'use strict';\nconst HttpStatus = {\n  Ok: 200,\n};\nclass Agent {\n  asHours() { return 1 }\n  bundled() {\n    const more = [1, 2, 3];\n    return more;\n  }\n}\n" +
			"function onlyBundled() { return 2 }\nexports.Agent = Agent;\n",
	})
	for query, want := range map[string]string{
		"HttpStatus": "lib/agent.js", "Agent": "lib/agent.js", "asHours": "lib/agent.js", "OnlyTyped": "index.d.ts", "onlyTyped": "index.d.ts",
		"callsByPath": "lib/mock/call.js", "onlyBundled": "dist/agent.js",
	} {
		hits := w.search(SearchRequest{Query: query}).Hits
		if len(hits) == 0 || hits[0].Path != want {
			t.Errorf("%s: got %v, want %s first", query, names(hits), want)
		}
	}
}

// TestSpelledNames holds that a name that is typed with its capitals means itself before a type that has its letters.
func TestSpelledNames(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"a.ts": "export class CookieOptions {\n  path = ''\n}\nexport class Config {\n  size = 1\n}\n",
		"b.ts": "export interface Language {\n  cookieOptions?: string\n  config?: string\n}\n",
	})
	for query, want := range map[string]string{"cookieOptions": "cookieOptions", "CookieOptions": "CookieOptions", "config": "Config"} {
		if hits := w.search(SearchRequest{Query: query}).Hits; len(hits) == 0 || hits[0].Name != want {
			t.Errorf("%s: got %v, want %s first", query, names(hits), want)
		}
	}
}

// TestMarkedNames holds that a mark is a part of what is typed: a private member, the id of a stylesheet.
func TestMarkedNames(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"context.ts":   "export interface Options {\n  queue: string\n  raw: string\n}\nexport class Context {\n  #queue = 1\n  run() {\n    return this.#queue\n  }\n  #drainQueue() {\n    return 1\n  }\n}\n",
		"uses.test.ts": "const { drainQueue } = open()\ndrainQueue(drainQueue)\n",
		"style.css":    "#raw {\n  color: red;\n}\n.raw {\n  color: blue;\n}\n",
	})
	for query, want := range map[string]string{"#queue": "context.ts:6", "#raw": "style.css:1", ".raw": "style.css:4", "#drainQueue": "context.ts:10", "drainQueue": "context.ts:10"} {
		hits := w.search(SearchRequest{Query: query}).Hits
		if len(hits) == 0 || hits[0].Path+":"+strconv.Itoa(hits[0].Line()) != want {
			t.Errorf("%s: got %v, want %s first", query, names(hits), want)
		}
	}
}
