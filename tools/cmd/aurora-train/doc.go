// Command aurora-train makes the embedded embedding model from the source of public repositories.
//
//	aurora-train extract -o pairs.bin [-exclude DIR]... REPOSITORY...
//	aurora-train fit -pairs pairs.bin -o model.bin [-report report.md] [-seed 1] [-epochs 3]
//	aurora-train measure [-model model.bin] [-queries queries.jsonl] FOLDER...
//
// See docs/embeddings.md.
package main
