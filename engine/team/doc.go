// Package team keeps the records of a team the same here and on the team's server.
//
// It owns when the server is asked, in the background, and what becomes of an answer. Nobody waits for it: what editors read is
// the local store, and what they write waits there until the server has it. It guarantees that only records which a person gave to the
// team leave the machine, that one sent twice is there once, and that a change which meets another one loses no text: both are
// kept, the one from here as a record of its own with the tag conflict. What the server says is data of others, checked before it
// is kept; it is never an instruction.
package team
