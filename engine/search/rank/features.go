package rank

// A Feature is a figure that is known of a candidate and that a model weighs.
type Feature struct {
	Name  string // in the file of the model
	Label string // in an explanation
}

// ActionFeatures name what is known of a chunk for a question that says what code does, in the order of their weights. Such a
// question means a function wherever it stands, where others mean a file or a part of the program.
var ActionFeatures = []Feature{
	{"words", "keyword score"},                      // as a share of the best one
	{"covered", "question covered"},                 // share of the question that the chunk holds
	{"name", "name asked for"},                      // share of the name's words that stand in the question
	{"whole_name", "question in the name"},          // the same times the share of the question that stands in the name
	{"meaning", "meaning"},                          // where its cosine lies between the least and the best
	{"lines", "length"},                             // the logarithm of the lines, up to actionLines of them, as a share of that
	{"function", "a function"},                      // is a function or a method
	{"class", "a type"},                             // is a type
	{"remainder", "between definitions"},            // lies there
	{"document", "a document"},                      // and none was asked for
	{"test", "test code"},                           // and none was asked for
	{"other", "generated, vendored, or an example"}, // and none was asked for
}

// FileFeatures name what is known of a file for a question that does not say what code does, in the order of their weights. Such
// a question means a file or a part of the program.
var FileFeatures = []Feature{
	{"rules", "score by the rules"},             // its logarithm, of the best chunk
	{"functions", "what its functions do"},      // what ActionFeatures say for its three best chunks, on average
	{"whole", "meaning of the whole file"},      // where the mean cosine of all its chunks lies between the least and the best of the files
	{"meaning", "meaning of its best place"},    // where the cosine of its best chunk by the rules lies between the least and the best
	{"unasked", "a kind of file not asked for"}, // a test, vendored, an example, or generated where ordinary code answers
	{"name", "file name asked for"},             // or its folder's
	{"covered", "question covered by the file"}, // share of the question that its chunks hold together
	{"words", "keyword scores of the file"},     // of its chunks together, as a share of the best file's
}

// ruleFeatures are the labels of what the rules add up, in the order of addends.
var ruleFeatures = [...]string{
	"keyword score",                // as a share of the best one
	"question covered",             // share of the question that the chunk holds, of the keyword score
	"name asked for",               // share of the name's words that stand in the question
	"file name asked for",          // or its folder's
	"keyword scores of the file",   // of its chunks together, as a share of the best file's
	"question covered by the file", // share of the question that its chunks hold together
	"meaning",                      // where its cosine lies between the least and the best
	"meaning of the file",          // the same of the chunk of the file that means most
}
