; What JavaScript and TypeScript have in common.

; Definitions

(function_declaration name: (_) @name body: (_) @body) @definition.function
(generator_function_declaration name: (_) @name body: (_) @body) @definition.function
(class_declaration name: (_) @name body: (_) @body) @definition.class
(class_body (method_definition name: (_) @name body: (_) @body) @definition.function)

(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.function

(variable_declarator
  name: (identifier) @name
  value: (class body: (_) @body)) @definition.class

(assignment_expression
  left: [
    (identifier) @name
    (member_expression property: (property_identifier) @name)
  ]
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.function

(export_statement
  "default" @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
  ]) @definition.function

(assignment_expression right: (class name: (_) @name body: (_) @body) @definition.class)
(assignment_expression
  left: (member_expression object: (_) @_object property: (_) @_property)
  right: (class name: (_) @export.of)
  (#eq? @_object "module") (#eq? @_property "exports"))

(export_statement "default" @name value: (class body: (_) @body)) @definition.class

; Methods of object literals that have a name

(variable_declarator name: (identifier) @name value: (object)) @scope.class
(assignment_expression left: (member_expression property: (property_identifier) @name) right: (object)) @scope.class

(variable_declarator value: (object (method_definition name: (_) @name body: (_) @body) @definition.function))
(assignment_expression right: (object (method_definition name: (_) @name body: (_) @body) @definition.function))
(export_statement value: (object (method_definition name: (_) @name body: (_) @body) @definition.function))

(variable_declarator
  value: (object
    (pair
      key: (property_identifier) @name
      value: [
        (arrow_function body: (_) @body)
        (function_expression body: (_) @body)
      ]) @definition.function))

(assignment_expression
  right: (object
    (pair
      key: (property_identifier) @name
      value: [
        (arrow_function body: (_) @body)
        (function_expression body: (_) @body)
      ]) @definition.function))

; What belongs to a definition around it

(export_statement declaration: (_) @inner) @outer
(lexical_declaration
  . (variable_declarator value: [(arrow_function) (function_expression) (generator_function) (class)]) @inner .) @outer
(variable_declaration
  . (variable_declarator value: [(arrow_function) (function_expression) (generator_function) (class)]) @inner .) @outer
(expression_statement
  . (assignment_expression right: [(arrow_function) (function_expression) (generator_function)]) @inner .) @outer

(decorator) @attribute
(comment) @comment

; Uses

(call_expression function: (identifier) @call)
(call_expression function: (member_expression property: (_) @call))
(new_expression constructor: (identifier) @call)
(new_expression constructor: (member_expression property: (_) @call))

(import_statement source: (string) @import.path)
(import_statement (import_clause (identifier) @import.default) source: (string) @import.path)
(import_statement (import_clause (namespace_import (identifier) @import.all)) source: (string) @import.path)
(import_statement
  (import_clause (named_imports (import_specifier name: (identifier) @import.name !alias)))
  source: (string) @import.path)
(import_statement
  (import_clause (named_imports (import_specifier name: (_) @import.of alias: (identifier) @import.name)))
  source: (string) @import.path)
(export_statement source: (string) @import.path)
(call_expression function: (import) arguments: (arguments . (string) @import.path))

(call_expression
  function: (identifier) @_require
  arguments: (arguments . (string) @import.path)
  (#eq? @_require "require"))
(variable_declarator
  name: (identifier) @import.all
  value: (call_expression
    function: (identifier) @_require
    arguments: (arguments . (string) @import.path))
  (#eq? @_require "require"))
(variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @import.name)
  value: (call_expression
    function: (identifier) @_require
    arguments: (arguments . (string) @import.path))
  (#eq? @_require "require"))
(variable_declarator
  name: (object_pattern (pair_pattern key: (_) @import.of value: (identifier) @import.name))
  value: (call_expression
    function: (identifier) @_require
    arguments: (arguments . (string) @import.path))
  (#eq? @_require "require"))

; Exports under another name, of another file, or without a name

(export_statement "*" source: (string) @export.path)
(export_statement (namespace_export (identifier) @export.name) source: (string) @export.path)
(export_statement (export_clause (export_specifier name: (_) @export.name !alias)) source: (string) @export.path)
(export_statement
  (export_clause (export_specifier name: (_) @export.of alias: (_) @export.name))
  source: (string) @export.path)
(export_statement (export_clause (export_specifier name: (_) @export.name !alias)) !source)
(export_statement (export_clause (export_specifier name: (_) @export.of alias: (_) @export.name)) !source)
(export_statement value: (identifier) @export.of)
(export_statement "default" declaration: (_ name: (_) @export.of))
(assignment_expression
  left: (member_expression object: (identifier) @_object property: (_) @_property)
  right: [
    (identifier) @export.of
    (object (shorthand_property_identifier) @export.name)
    (object (pair key: (property_identifier) @export.name value: (identifier) @export.of))
  ]
  (#eq? @_object "module") (#eq? @_property "exports"))
(assignment_expression
  left: (member_expression object: (_) @_object property: (_) @export.name)
  right: (identifier) @export.of
  (#match? @_object "^(module\\.)?exports$"))

; Symbols

((lexical_declaration "const" (variable_declarator name: (identifier) @name)) @symbol.constant
  (#top-level? @symbol.constant))
((lexical_declaration (variable_declarator name: (identifier) @name)) @symbol.variable (#top-level? @symbol.variable))
((variable_declaration (variable_declarator name: (identifier) @name)) @symbol.variable (#top-level? @symbol.variable))
(export_statement declaration: (lexical_declaration "const" (variable_declarator name: (identifier) @name)) @symbol.constant)
(export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name)) @symbol.variable)
(export_statement declaration: (variable_declaration (variable_declarator name: (identifier) @name)) @symbol.variable)
(export_statement
  declaration: (lexical_declaration (variable_declarator name: (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (pair_pattern value: (identifier) @name)
  ]))) @symbol.variable)
((lexical_declaration
  (variable_declarator name: [
    (object_pattern (shorthand_property_identifier_pattern) @name)
    (object_pattern (pair_pattern value: (identifier) @name))
    (array_pattern (identifier) @name)
  ])) @symbol.variable (#top-level? @symbol.variable))

; Of a script that is wrapped into a function
(expression_statement
  (call_expression
    function: (parenthesized_expression
      (function_expression body: (statement_block [
        (variable_declaration (variable_declarator name: (identifier) @name)) @symbol.variable
        (lexical_declaration (variable_declarator name: (identifier) @name)) @symbol.variable
      ])))))

(expression_statement
  (assignment_expression left: (member_expression object: (this) property: (_) @name))) @symbol.field
((expression_statement
  (assignment_expression left: (member_expression object: [(identifier) (member_expression)] property: (_) @name)))
  @symbol.property (#top-level? @symbol.property))

(variable_declarator value: (object (pair key: (_) @name) @symbol.property))
(variable_declarator value: (object (pair value: (object (pair key: (_) @name) @symbol.property))))
(assignment_expression right: (object (pair key: (_) @name) @symbol.property))
(assignment_expression right: (object (pair value: (object (pair key: (_) @name) @symbol.property))))
(export_statement value: (object (pair key: (_) @name) @symbol.property))
(export_statement value: (object (pair value: (object [
  (pair key: (_) @name)
  (method_definition name: (_) @name)
] @symbol.property))))
; What a module is made of by a call: export default defineConfig({…}), const cart = createSlice({reducers: {…}})
(export_statement value: (call_expression arguments: (arguments (object [
  (pair key: (_) @name) @symbol.property
  (method_definition name: (_) @name) @symbol.property
  (pair value: (object [(pair key: (_) @name) (method_definition name: (_) @name)] @symbol.property))
]))))
((lexical_declaration (variable_declarator value: (call_expression arguments: (arguments (object [
  (pair key: (_) @name) @symbol.property
  (method_definition name: (_) @name) @symbol.property
  (pair value: (object [(pair key: (_) @name) (method_definition name: (_) @name)] @symbol.property))
]))))) @_top
  (#top-level? @_top))
(export_statement declaration: (lexical_declaration (variable_declarator value: (call_expression arguments: (arguments (object [
  (pair key: (_) @name) @symbol.property
  (method_definition name: (_) @name) @symbol.property
  (pair value: (object [(pair key: (_) @name) (method_definition name: (_) @name)] @symbol.property))
]))))))

; Of objects that a function makes, and functions in any object; what an argument sets is declared elsewhere
(return_statement (object (pair key: (_) @name) @symbol.inner))
(return_statement (object (pair value: (object (pair key: (_) @name) @symbol.inner))))
(arrow_function body: (parenthesized_expression (object (pair key: (_) @name) @symbol.inner)))
(variable_declarator value: (object (pair value: (object (pair value: (object (pair key: (_) @name) @symbol.inner))))))
(object (pair key: (_) @name value: [(arrow_function) (function_expression)]) @symbol.inner)
(object (method_definition name: (_) @name) @symbol.inner)

(call_expression
  function: [(identifier) @_test (member_expression object: (identifier) @_test)]
  arguments: (arguments . [(string) (template_string)] @name)
  (#any-of? @_test "describe" "it" "test" "suite" "context" "specify")) @symbol.test
((call_expression
  function: (member_expression object: (identifier) @_on property: (property_identifier) @_verb)
  arguments: (arguments . [(string) (template_string)] @name . (_))) @symbol.route
  (#any-of? @_verb "get" "post" "put" "patch" "delete" "head" "options" "all" "route")
  (#match? @_on "(?i)^\\w*(app|router|routes|server|api|fastify)$")
  (#match? @name "^./"))

; Types

(variable_declarator name: (_) @bind value: (_) @bind.value)
(for_in_statement left: (_) @bind operator: "of" right: (_) @bind.each)
(assignment_expression left: (member_expression object: (this)) @bind right: (_) @bind.value)
(arrow_function parameter: (identifier) @bind) @bind.scope

; What functions return

(_ body: (statement_block (return_statement "return" @bind (_) @bind.value))) @bind.scope
(_ body: (statement_block (if_statement consequence: [
  (return_statement "return" @bind (_) @bind.value)
  (statement_block (return_statement "return" @bind (_) @bind.value))
]))) @bind.scope
(arrow_function "=>" @bind body: (_) @bind.value) @bind.scope
