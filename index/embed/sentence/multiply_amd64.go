package sentence

import "golang.org/x/sys/cpu"

var hasMultiply = cpu.X86.HasAVX2
