; Definitions

(function_declaration name: (identifier) @name body: (_)? @body) @definition.function
(function_declaration
  name: (identifier) @name
  body: (block (expression_statement (return_expression
    [(struct_declaration) (union_declaration) (enum_declaration) (opaque_declaration)])))) @definition.class
(variable_declaration . (identifier) @name
  [(struct_declaration) (union_declaration) (enum_declaration) (opaque_declaration) (error_set_declaration)] @body) @definition.class

(comment) @comment

; Uses

(call_expression function: (identifier) @call)
(call_expression function: (field_expression member: (identifier) @call))

((builtin_function (builtin_identifier) @_import (arguments (string) @import.path)) (#eq? @_import "@import"))
((variable_declaration . (identifier) @import.all
  (builtin_function (builtin_identifier) @_import (arguments (string) @import.path)))
  (#eq? @_import "@import"))

; Symbols

(variable_declaration . (identifier) @name) @symbol.variable
(struct_declaration (container_field name: (identifier) @name) @symbol.field)
(union_declaration (container_field name: (identifier) @name) @symbol.field)
(enum_declaration (container_field name: (identifier) @name) @symbol.enummember)
(error_set_declaration (identifier) @name @symbol.enummember)
(test_declaration (string) @name) @symbol.test
