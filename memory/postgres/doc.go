// Package postgres keeps what a team remembers on a PostgreSQL server, 15 or later.
//
// It owns the schema there, its migrations, and the connection. Who may read and write what is decided by the server: each person is a
// role, rows are guarded by row-level security by team and repository, and nothing is written but by functions that note who called
// them. The feed of changes has no gaps: the number of a change is taken under a lock that its transaction holds until it
// commits. A change that is sent twice is done once.
//
// It believes a server nothing: rows of another repository, out of order, or larger than they may be are an error, and so is an answer that takes too long.
// It never decides what is shared, and it reads no other table than its own.
package postgres
