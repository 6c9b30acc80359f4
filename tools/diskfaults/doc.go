// Package diskfaults has no code outside of its tests: the built program keeps its data on a disk that fails, and what it
// acknowledged must be there when the disk works again.
package diskfaults
