// Package parent notices the end of a process that is not a child. It never ends one.
package parent
