// Command pack writes cl100k.zst: the vocabulary of cl100k_base, as the tokenizer library has it. go generate runs it.
//
// Each token but the 256 single bytes is what byte-pair encoding made it: two earlier tokens. The file has the single
// bytes in the order of their ranks, then of all other tokens the ranks of both parts: the lowest bytes of all first
// parts, the middle ones, the highest, and the same of the second parts. All of it is packed with zstd.
package main

import (
	"fmt"
	"os"

	"github.com/klauspost/compress/zstd"
	"github.com/tiktoken-go/tokenizer/codec"
)

const (
	ranks   = 100_256 // of cl100k_base, special tokens aside
	singles = 256
)

func main() {
	if err := run("cl100k.zst"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(path string) error {
	library := codec.NewCl100kBase()
	var list []byte
	var first, second []int
	rankOf := make(map[string]int, ranks)
	for rank := range ranks {
		token, err := library.Decode([]uint{uint(rank)})
		if err != nil {
			return fmt.Errorf("rank %d: %w", rank, err)
		}
		if rank < singles {
			if len(token) != 1 {
				return fmt.Errorf("rank %d is %q, no single byte", rank, token)
			}
			list = append(list, token[0])
		} else {
			a, b, ok := parts(rankOf, token)
			if !ok {
				return fmt.Errorf("rank %d, %q, is not made of two earlier tokens", rank, token)
			}
			first, second = append(first, a), append(second, b)
		}
		rankOf[token] = rank
	}
	for _, column := range [][]int{first, second} {
		for shift := 0; shift < 24; shift += 8 {
			for _, rank := range column {
				list = append(list, byte(rank>>shift))
			}
		}
	}
	packer, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		return err
	}
	return os.WriteFile(path, packer.EncodeAll(list, nil), 0o644)
}

// parts are the two earliest tokens that make one: low ranks pack best.
func parts(rankOf map[string]int, token string) (first, second int, ok bool) {
	for i := 1; i < len(token); i++ {
		a, known := rankOf[token[:i]]
		b, too := rankOf[token[i:]]
		if known && too && (!ok || max(a, b) < max(first, second)) {
			first, second, ok = a, b, true
		}
	}
	return first, second, ok
}
