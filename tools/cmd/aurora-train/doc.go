// Command aurora-train makes the embedding models in the program: that of code from the source of public repositories, and that
// of prose from their messages and pages, after a teacher behind an embedding endpoint.
//
//	aurora-train extract -o pairs.bin [-exclude DIR]... REPOSITORY...
//	aurora-train fit -pairs pairs.bin -o model.bin [-report report.md] [-seed 1] [-epochs 3]
//	aurora-train distil -url http://localhost:11434/v1 -teacher all-minilm -o prose.bin REPOSITORY...
//	aurora-train measure [-model model.bin] [-queries queries.jsonl] FOLDER...
//
// See docs/embeddings.md.
package main
