// Command pack writes cl100k.zst: the vocabulary of cl100k_base, as the tokenizer library has it, in the order of the ranks;
// each token is a byte with its length, then its bytes, all packed with zstd. go generate runs it.
package main

import (
	"fmt"
	"os"

	"github.com/klauspost/compress/zstd"
	"github.com/tiktoken-go/tokenizer/codec"
)

const ranks = 100_256 // of cl100k_base, special tokens aside

func main() {
	if err := run("cl100k.zst"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(path string) error {
	library := codec.NewCl100kBase()
	var list []byte
	for rank := range uint(ranks) {
		token, err := library.Decode([]uint{rank})
		if err != nil {
			return fmt.Errorf("rank %d: %w", rank, err)
		}
		if len(token) > 255 {
			return fmt.Errorf("rank %d has %d bytes", rank, len(token))
		}
		list = append(append(list, byte(len(token))), token...)
	}
	packer, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		return err
	}
	return os.WriteFile(path, packer.EncodeAll(list, nil), 0o644)
}
