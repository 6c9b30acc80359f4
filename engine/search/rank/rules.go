package rank

// rules are the weights of the ranking. They were set on the development sets of docs/search.md, whose ablation table
// says what each of them is worth.
var rules = ruleWeights{
	wordRules:     wordRules{Form: 0.8, Short: 0.5, Soft: 0.4, Joined: 0.5},
	evidenceRules: evidenceRules{Name: 0.3, Stem: 0.9, Folder: 0.7, File: 0.8, FileDecay: 0.5, Cover: 0.25, FileCover: 0.4},
	semanticRules: semanticRules{Semantic: 0.7, FileSemantic: 0.3, Record: 1},
	placeRules:    placeRules{Remainder: 0.85, Saturation: 0.65, Deep: 0.92, Declared: 0.6},
	namesakeRules: namesakeRules{Size: 0.2, Type: 0.2},
	fileKindRules: fileKindRules{Vendored: 0.5, Test: 0.5, Generated: 0.6, Lock: 0.2, Example: 0.6, Documents: 0.6},
}

// ruleWeights are factors and shares; 0 switches a rule off where it is a share, 1 where it is a factor.
type ruleWeights struct {
	wordRules
	evidenceRules
	semanticRules
	placeRules
	namesakeRules
	fileKindRules
}

// wordRules say what a word of a query stands for in the keyword retriever.
type wordRules struct {
	Form   float64 // one occurrence of another form of the word: handles for handle
	Short  float64 // one occurrence of the usual abbreviation: config for configuration
	Soft   float64 // a word that tells about code: implementation
	Joined float64 // two words that follow each other as one name: rate limiter as ratelimiter
}

// evidenceRules are shares that are added to a chunk's normalised keyword score, each times a figure in 0..1.
type evidenceRules struct {
	Name      float64 // how much of the chunk's name was asked for
	Stem      float64 // the same for the file's name
	Folder    float64 // the same for the folder's name, as a factor of Stem
	File      float64 // keyword scores of all chunks of the file together
	FileDecay float64 // factor from one chunk of the file to its next best
	FileCover float64 // share of the question that the file's chunks cover together
	Cover     float64 // part of the keyword score that depends on the share of the question that the chunk covers
}

// semanticRules are the same, when there are vectors.
type semanticRules struct {
	Semantic     float64 // how near the chunk is to the question
	FileSemantic float64 // how near the nearest chunk of the file is
	Record       float64 // how near a memory record is, of what its words leave
}

// placeRules are factors on the score.
type placeRules struct {
	Remainder  float64 // of what lies between definitions
	Saturation float64 // of each further hit in a file that was hit already
	Deep       float64 // the same for a context, which needs helpers beside what was found
	Declared   float64 // of a prototype, when the function itself was found, too
}

// namesakeRules tell definitions of the name that was asked for apart.
type namesakeRules struct {
	Size float64 // share that depends on the number of lines
	Type float64 // share that depends on the type: a class before a function before a method
}

// fileKindRules are factors of files that people seldom look for.
type fileKindRules struct {
	Vendored, Test, Generated, Lock, Example, Documents float64
}

// Weights are those of the providers in a fusion other than by rules, by id.
var Weights = map[string]float64{"full_text": 0.5, "symbol": 0.3, "semantic": 0.6, "memory": 0.3, "git_history": 0.2, "dependency": 0.1}

// OwnWeight is that of a provider of the program's own.
const OwnWeight = 0.3

// ClosenessAt is how near the name or path at a position of the near ones is, 0..1.
func ClosenessAt(position int) float64 { return 1 / (1 + 0.1*float64(position)) }

// NameScoreAt is the score of a definition whose name is at a position of the near ones.
func NameScoreAt(position int) float64 { return 0.8 / (1 + 0.05*float64(position)) }
