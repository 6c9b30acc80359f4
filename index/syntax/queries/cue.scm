; Top-level fields that hold a structure

(source_file (field (label (identifier) @name) (value) @body) @definition.class (#match? @name "^#"))
(source_file (field (label (identifier) @name) (value [(struct_lit) (binary_expression) (list_lit)]) @body)
  @definition.block (#not-match? @name "^#"))

(comment) @comment

; Uses

(call_expression function: (identifier) @call)
(call_expression function: (selector_expression (identifier) @call .))

(import_spec !name path: (_) @import.path)
(import_spec name: (_) @import.name path: (_) @import.path)

; Symbols

(field (label (identifier) @name)) @symbol.field
(field (label (optional (identifier) @name))) @symbol.field
