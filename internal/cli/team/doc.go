// Package team has the commands by which a person joins a team's memory on a server, looks at it, and leaves it.
package team
