; Definitions

(function_declaration
  name: (identifier) @name
  body: (block)? @body) @definition.function

(method_declaration
  receiver: (parameter_list
    (parameter_declaration
      type: [
        (type_identifier) @container
        (generic_type type: (type_identifier) @container)
        (pointer_type (type_identifier) @container)
        (pointer_type (generic_type type: (type_identifier) @container))
      ]))
  name: (field_identifier) @name
  body: (block)? @body) @definition.method

(type_spec name: (type_identifier) @name) @definition.class
(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body))
(type_spec name: (type_identifier) @name type: (interface_type "{" @body))
(type_alias name: (type_identifier) @name) @definition.class

(type_declaration (type_spec) @inner) @outer
(type_declaration (type_alias) @inner) @outer

; Supertypes

(type_spec
  name: (type_identifier) @name
  type: (struct_type (field_declaration_list
    (field_declaration !name type: [(type_identifier) (qualified_type) (generic_type)] @supertype))))
(type_spec
  name: (type_identifier) @name
  type: (interface_type (type_elem . [(type_identifier) (qualified_type) (generic_type)] @supertype .)))

; Uses

(call_expression function: (identifier) @call)
(call_expression function: (selector_expression field: (field_identifier) @call))
(call_expression function: (parenthesized_expression (identifier) @call))
(type_conversion_expression type: (generic_type type: (type_identifier) @call))
(type_conversion_expression type: (generic_type type: (qualified_type name: (type_identifier) @call)))

(import_spec !name path: (_) @import.path)
(import_spec name: (_) @import.name path: (_) @import.path)

(comment) @comment

; Symbols

(package_clause (package_identifier) @name) @symbol.namespace
(const_spec (identifier) @name) @symbol.constant
(var_spec (identifier) @name) @symbol.variable
(field_declaration name: (field_identifier) @name) @symbol.field
(field_declaration !name type: [
  (type_identifier) @name
  (qualified_type name: (type_identifier) @name)
  (generic_type type: (type_identifier) @name)
]) @symbol.field
(method_elem name: (field_identifier) @name) @symbol.method
(call_expression
  function: (selector_expression field: (field_identifier) @_run)
  arguments: (argument_list . (interpreted_string_literal) @name . (func_literal))
  (#eq? @_run "Run")) @symbol.test
((call_expression
  function: (selector_expression
    operand: [(identifier) @_on (selector_expression field: (field_identifier) @_on)] field: (field_identifier) @_verb)
  arguments: (argument_list . [(interpreted_string_literal) (raw_string_literal)] @name . (_))) @symbol.route
  (#match? @_verb "^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|Any|Get|Post|Put|Patch|Delete|Head|Options|Handle|HandleFunc)$")
  (#match? @_on "(?i)^(r|e|g|s|http|\\w*(app|mux|api|v[0-9]|router|routes|group|engine|server|srv))$")
  (#match? @name "^.([A-Z]+ )?/"))

; Types

(function_declaration name: (_) @name result: (_) @result)
(method_declaration name: (_) @name result: (_) @result)
(method_elem name: (_) @bind result: (_) @result)
(_ parameters: (parameter_list
  [(parameter_declaration name: (_) @bind type: (_) @bind.type)
   (variadic_parameter_declaration name: (_) @bind type: (_) @bind.type)])) @bind.scope
(short_var_declaration left: (_) @bind right: (_) @bind.value)
(var_spec name: (_) @bind type: (_) @bind.type)
(var_spec name: (_) @bind !type value: (_) @bind.value)
(range_clause left: (_) @bind ":=" right: (_) @bind.each)
(type_switch_statement
  alias: (expression_list (identifier) @bind)
  (type_case type: (_) @bind.type) @bind.scope)
(field_declaration name: (_) @bind type: (_) @bind.type)
(field_declaration !name type: [
  (type_identifier) @bind
  (qualified_type name: (_) @bind)
  (generic_type type: (type_identifier) @bind)
] @bind.type)
(type_spec name: (_) @bind type: [
  (slice_type) (array_type) (map_type) (channel_type) (function_type) (pointer_type) (type_identifier) (qualified_type)
] @bind.type)
(type_alias name: (_) @bind type: (_) @bind.type)
