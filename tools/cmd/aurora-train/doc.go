// Command aurora-train makes the embedding models in the program: that of code from the source of public repositories, and that of
// prose from a sentence transformer, with the subwords that their messages and pages have.
//
//	aurora-train extract -o pairs.bin [-exclude DIR]... REPOSITORY...
//	aurora-train fit -pairs pairs.bin -o model.bin [-report report.md] [-seed 1] [-epochs 3]
//	aurora-train sentence -model FOLDER -o model.bin [-least 2] REPOSITORY...
//	aurora-train measure [-model model.bin] [-queries queries.jsonl] FOLDER...
//
// See docs/embeddings.md.
package main
