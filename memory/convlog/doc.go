// Package convlog keeps what was asked and answered as Markdown files that people read: one file an interaction, in
// <dir>/YYYY/MM. It writes them whole, reads those of earlier formats, compresses and deletes old ones, and lists, searches
// and shows them.
//
// A file appears complete or not at all, and never in the place of another. It holds no secrets. What is in the folder
// besides conversations is never changed, and nothing in a file can make reading fail: the worst is a conversation without
// sections.
package convlog
