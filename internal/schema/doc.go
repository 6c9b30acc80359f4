// Package schema checks JSON against JSON Schemas (draft 2020-12) and says all that is wrong with it: where, what, and what
// is allowed.
//
// The library decides. It stops at the first mistake, names a place in the schema rather than one in the document, and does
// not look at formats; so the mistakes that the schemas of this module can find are looked for here first.
package schema
