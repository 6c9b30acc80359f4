; Top-level blocks. The last label names a block, what stands before it is its container.

(config_file (body (block . (identifier) @name . (block_start) @body) @definition.block))
(config_file (body
  (block . (identifier) @container . (string_lit (template_literal) @name) . (block_start) @body) @definition.block))
(config_file (body
  (block
    . (identifier) . (string_lit (template_literal) @container) . (string_lit (template_literal) @name)
    . (block_start) @body) @definition.block))
(config_file (body (attribute . (identifier) @name (expression (collection_value)) @body) @definition.block))

(comment) @comment

; Uses

(function_call . (identifier) @call)

; Symbols

(attribute . (identifier) @name) @symbol.key
