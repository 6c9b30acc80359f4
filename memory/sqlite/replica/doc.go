// Package replica is memory's SQLite store as the copy of a team's records.
//
// It owns the tables team_records and team_cursors: which record is the team's, on which version of the server it is based, what was
// changed here since, and how far the server was followed. It guarantees that a change made here is sent or kept, whatever the server
// says, and that rows are taken in the order of the feed, all or nothing. What a record is, package sqlite knows.
package replica
