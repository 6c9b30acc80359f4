; Tables

(table . (_) @name) @definition.block
(table . (_) @name . (pair) @body)
(table_array_element . (_) @name) @definition.block
(table_array_element . (_) @name . (pair) @body)

(comment) @comment

; Symbols

(pair . (bare_key) @name) @symbol.key
(pair . (quoted_key) @name) @symbol.key
(pair . (dotted_key (bare_key) @name .)) @symbol.key
