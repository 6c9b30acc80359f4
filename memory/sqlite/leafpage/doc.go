// Package leafpage reads the rows of tables out of single pages of a SQLite database, for files whose trees are broken.
//
// It owns the format of leaf pages, cells and rows (https://sqlite.org/fileformat.html). It follows no tree: a page is read whether or not
// another one leads to it, and what a page says is never believed without a look at its bounds. Whose
// row it is, it tells from the columns of tables alone, and it never writes.
package leafpage
