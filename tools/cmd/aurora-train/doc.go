// Command aurora-train makes the embedding models in the program: that of code from the source of public repositories, and that of
// prose from a sentence transformer, with the subwords that their messages and pages have. And it fits the weights of the ranking: of
// questions that say what code does to queries that it draws from checkouts, of other questions to those of questions.jsonl (which
// file) and definitions.jsonl (which of a file's definitions).
//
//	aurora-train extract -o pairs.bin [-exclude DIR]... REPOSITORY...
//	aurora-train fit -pairs pairs.bin -o model.bin [-report report.md] [-seed 1] [-epochs 3]
//	aurora-train sentence -model FOLDER -o model.bin [-least 2] REPOSITORY...
//	aurora-train sentence -model FOLDER -o model.bin -like model.bin
//	aurora-train measure [-model model.bin] [-queries queries.jsonl] FOLDER...
//	aurora-train queries [-o queries] [-n 80] CHECKOUT...
//	aurora-train rank [-queries queries] [-o actions.json]
//	aurora-train files -repos FOLDER [-o files.json]
//	aurora-train within -repos FOLDER [-o within.json]
//
// What trains the sentence transformer is prose/finetune.py. See docs/embeddings.md and docs/search.md.
package main
