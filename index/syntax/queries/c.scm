; Definitions in C, which C++ has too.

(function_definition
  declarator: [
    (function_declarator declarator: (identifier) @name)
    (_ (function_declarator declarator: (identifier) @name))
    (_ (_ (function_declarator declarator: (identifier) @name)))
    (function_declarator declarator: (_ (_ (function_declarator declarator: (identifier) @name))))
  ]
  body: (_) @body) @definition.function

(declaration
  declarator: [
    (function_declarator declarator: (identifier) @name)
    (pointer_declarator (function_declarator declarator: (identifier) @name))
    (pointer_declarator (pointer_declarator (function_declarator declarator: (identifier) @name)))
  ]) @definition.function

(preproc_function_def name: (_) @name value: (_)? @body) @definition.function

; A type inside a typedef goes by the name of the typedef.

(type_definition declarator: (type_identifier) @name) @definition.class
(type_definition type: (_ body: (_) @body) declarator: (type_identifier) @name)
(type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @definition.class
(type_definition declarator: (array_declarator declarator: (type_identifier) @name)) @definition.class
(type_definition declarator: (array_declarator declarator: (array_declarator declarator: (type_identifier) @name))) @definition.class
(type_definition
  declarator: (function_declarator
    declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @definition.class
(type_definition
  declarator: (function_declarator declarator: [
    (type_identifier) @name
    (parenthesized_declarator (type_identifier) @name)
  ])) @definition.class

[
  (declaration_list (_ name: (type_identifier) @name body: (_) @body) @definition.class)
  (preproc_if (_ name: (type_identifier) @name body: (_) @body) @definition.class)
  (preproc_ifdef (_ name: (type_identifier) @name body: (_) @body) @definition.class)
  (preproc_else (_ name: (type_identifier) @name body: (_) @body) @definition.class)
  (declaration type: (_ name: (type_identifier) @name body: (_) @body) @definition.class)
  (field_declaration type: (_ name: (type_identifier) @name body: (_) @body) @definition.class)
]

((struct_specifier name: (type_identifier) @name body: (_) @body) @definition.class (#top-level? @definition.class))
((union_specifier name: (type_identifier) @name body: (_) @body) @definition.class (#top-level? @definition.class))
((enum_specifier name: (type_identifier) @name body: (_) @body) @definition.class (#top-level? @definition.class))

(comment) @comment

; Uses

(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))

(preproc_include path: (_) @import.path)

; Symbols

(declaration declarator: (identifier) @name) @symbol.variable
(declaration declarator: (_ declarator: (identifier) @name)) @symbol.variable
(declaration declarator: (_ declarator: (_ declarator: (identifier) @name))) @symbol.variable
(declaration declarator: (_ declarator: (_ declarator: (_ declarator: (identifier) @name)))) @symbol.variable
(declaration
  declarator: (function_declarator
    declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))) @symbol.variable
(declaration
  declarator: (init_declarator
    declarator: (function_declarator
      declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))) @symbol.variable
(field_declaration declarator: (field_identifier) @name) @symbol.field
(field_declaration declarator: (_ (field_identifier) @name)) @symbol.field
(field_declaration declarator: (_ (_ (field_identifier) @name))) @symbol.field
(field_declaration declarator: (_ (_ (_ (field_identifier) @name)))) @symbol.field
(enumerator name: (identifier) @name) @symbol.enummember
(preproc_def name: (identifier) @name) @symbol.macro
