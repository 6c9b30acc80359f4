// Package eval measures search: it asks an engine questions whose answers are known, and says how near the top they
// came.
//
// It owns the query sets' formats, the metrics and the comparison of two runs. A run opens each repository as a
// workspace of its own, without memory and without a store, so that the same text always gives the same figures. It
// never changes what it measures, and knows nothing of how hits are found.
//
// # Query sets
//
// A set is a file of JSON lines:
//
//	{"id": "q1", "query": "where are tokens split", "category": "prose", "language": "go", "repo": "aurora",
//	 "relevant": [{"path": "internal/text/tokens.go", "name": "Tokenizer.Each"}, {"path": "a.go", "start_line": 3, "end_line": 9}]}
//
// A query without "relevant" expects none: nothing in the repository answers it. In place of "category", "language"
// and "relevant" the lines may say "set", "lang" and "answers". A folder with repos.json and annotations/<repo>.json is
// a set, too; see loadAnnotations.
package eval
