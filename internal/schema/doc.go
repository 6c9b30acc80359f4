// Package schema checks JSON against JSON Schemas (draft 2020-12) and says all that is wrong with it: where, what, and what
// is allowed.
//
// It never fetches a schema, and mentions a mistake once, at the place in the document where it is.
package schema
