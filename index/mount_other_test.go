//go:build !linux

package index

import "testing"

func smallDisk(t *testing.T, _ string) string {
	t.Skip("no small disk here")
	return ""
}
