package question

// Chores are the deeds of people who work on a project, and the words of headings that tell about each, the most telling first.
var Chores = map[string][]string{
	"build": {"building", "installation", "install", "development"}, "compile": {"building", "installation"},
	"install": {"installation", "install", "setup"}, "run": {"running", "usage", "start", "quickstart"}, "start": {"start", "usage", "quickstart", "running"},
	"use": {"usage", "quickstart", "start", "example"}, "test": {"testing", "tests"}, "contribute": {"contributing", "contribute", "patches"},
	"release": {"release", "releasing"}, "deploy": {"deploy", "deployment"}, "develop": {"development", "developing", "contributing"},
	"setup": {"setup", "development", "installation"}, "lint": {"lint", "style", "formatting"},
	"format": {"format", "style"}, "debug": {"debugging", "debug"}, "report": {"vulnerability", "bugs", "reporting"}, "benchmark": {"benchmarks", "benchmark"},
	"document": {"documentation"}, "dependencies": {"dependencies", "requirements", "prerequisites"}, "upgrade": {"upgrade", "upgrading", "migration"},
}
