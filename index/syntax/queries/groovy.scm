; Definitions

(function_definition function: (_) @name body: (_) @body) @definition.function
(function_declaration function: (_) @name) @definition.function
(declaration name: (identifier) @name value: (closure) @body) @definition.function
(class_definition name: (_) @name body: (_) @body) @definition.class

((declaration type: (identifier) @_enum name: (identifier) @name) @definition.class
  . (closure) @definition.class @body
  (#eq? @_enum "enum"))

(annotation) @attribute
(comment) @comment
(groovy_doc) @comment

; Uses

(function_call function: (identifier) @call)
(function_call function: (dotted_identifier (identifier) @call .))
(juxt_function_call function: (identifier) @call)
(juxt_function_call function: (dotted_identifier (identifier) @call .))

(groovy_import import: (_) @import.path)

; Symbols

(declaration name: (identifier) @name) @symbol.variable
