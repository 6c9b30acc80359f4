package main

import (
	"bytes"
	"fmt"
	"os"

	"github.com/tiktoken-go/tokenizer/codec"
)

func main() {
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(path string) error {
	const tokens = 100_256
	base := codec.NewCl100kBase()
	var packed bytes.Buffer
	for id := range uint(tokens) {
		token, err := base.Decode([]uint{id})
		if err != nil {
			return err
		}
		if len(token) > 255 {
			return fmt.Errorf("token %d has %d bytes", id, len(token))
		}
		packed.WriteByte(byte(len(token)))
		packed.WriteString(token)
	}
	return os.WriteFile(path, packed.Bytes(), 0o644)
}
