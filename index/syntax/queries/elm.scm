; Definitions

(file (value_declaration
  functionDeclarationLeft: (function_declaration_left . (lower_case_identifier) @name)
  body: (_) @body) @definition.function)
(port_annotation name: (_) @name) @definition.function
(type_alias_declaration name: (_) @name typeExpression: (_) @body) @definition.class
(type_declaration name: (_) @name . (_) . (eq) @body) @definition.class
(type_declaration name: (_) @name) @definition.class

(type_annotation) @head
(block_comment) @comment
(line_comment) @comment

; Uses

(function_call_expr target: (value_expr name: (value_qid (lower_case_identifier) @call .)))

(import_clause moduleName: (_) @import.path)
(import_clause moduleName: (_) @import.path asClause: (as_clause name: (_) @import.name))

; Symbols

(field_type name: (lower_case_identifier) @name) @symbol.field
(union_variant name: (upper_case_identifier) @name) @symbol.enummember
