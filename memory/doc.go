// Package memory keeps what must not be lost: what people and queries decided, learned and used.
//
// It owns the record, the contract of a store of records, and (below it) ACT-R activation and the SQLite store. It
// guarantees that nothing is deleted unless somebody asked for it, that the same content is one record, and that a
// store is only ever migrated, after a backup. It never knows how code is chunked or how an editor speaks.
package memory
