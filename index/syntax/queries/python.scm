; Definitions

(function_definition
  name: (identifier) @name
  body: (block) @body) @definition.function

(class_definition
  name: (identifier) @name
  body: (block) @body) @definition.class

(function_definition name: (identifier) @name body: (block . (expression_statement . (string) @doc)))
(class_definition name: (identifier) @name body: (block . (expression_statement . (string) @doc)))

; Of the module, when nothing but comments precedes it
(expression_statement . (string) @doc)

(decorated_definition definition: (_) @inner) @outer
(decorator) @attribute

; Supertypes

(class_definition
  name: (identifier) @name
  superclasses: (argument_list [(identifier) (attribute) (subscript)] @supertype))

; Uses

(call function: (identifier) @call)
(call function: (attribute attribute: (identifier) @call))

(import_statement name: (dotted_name) @import.path)
(import_statement name: (aliased_import name: (dotted_name) @import.path alias: (identifier) @import.all))
(import_from_statement module_name: (_) @import.path name: (dotted_name) @import.name)
(import_from_statement
  module_name: (_) @import.path
  name: (aliased_import name: (_) @import.of alias: (identifier) @import.name))
(import_from_statement module_name: (_) @import.path (wildcard_import) @import.name)

(comment) @comment

; Symbols

(expression_statement (assignment left: (identifier) @name)) @symbol.variable
(expression_statement (assignment left: [(pattern_list (identifier) @name) (tuple_pattern (identifier) @name)])) @symbol.variable
(expression_statement (assignment right: (assignment left: (identifier) @name))) @symbol.variable
(expression_statement
  (assignment left: (attribute object: (identifier) @_self attribute: (identifier) @name))
  (#any-of? @_self "self" "cls")) @symbol.field
(type_alias_statement . (type (identifier) @name)) @symbol.type
(call
  function: (attribute attribute: (identifier) @_param)
  arguments: (argument_list (keyword_argument name: (identifier) @_id value: (string) @name) .)
  (#eq? @_param "param") (#eq? @_id "id")) @symbol.test
((decorator (call
  function: (attribute attribute: (identifier) @_verb)
  arguments: (argument_list . (string) @name))) @symbol.route
  (#any-of? @_verb "route" "get" "post" "put" "patch" "delete" "head" "options" "websocket" "api_route")
  (#match? @name "^['\"]/"))
((assignment left: (identifier) @_urls right: (list (call
  function: (identifier) @_path
  arguments: (argument_list . (string) @name . (_))) @symbol.route))
  (#eq? @_urls "urlpatterns") (#any-of? @_path "path" "re_path" "url") (#match? @name "^['\"]."))

; Types

(function_definition name: (_) @name return_type: (_) @result)
(_ parameters: (_ [
  (identifier) @bind
  (default_parameter name: (_) @bind)
  (typed_parameter . (identifier) @bind type: (_) @bind.type)
  (typed_default_parameter name: (_) @bind type: (_) @bind.type)
])) @bind.scope
(assignment left: (_) @bind type: (_) @bind.type)
(assignment left: (_) @bind right: (_) @bind.value)
(named_expression name: (_) @bind value: (_) @bind.value)
(for_statement left: (_) @bind right: (_) @bind.each)
[
  (list_comprehension (for_in_clause left: (_) @bind right: (_) @bind.each))
  (set_comprehension (for_in_clause left: (_) @bind right: (_) @bind.each))
  (dictionary_comprehension (for_in_clause left: (_) @bind right: (_) @bind.each))
  (generator_expression (for_in_clause left: (_) @bind right: (_) @bind.each))
] @bind.scope
(as_pattern (_) @bind.value alias: (as_pattern_target) @bind)

; What functions return

(function_definition body: (block (return_statement "return" @bind (_) @bind.value))) @bind.scope
(function_definition body: (block (if_statement consequence: (block (return_statement "return" @bind (_) @bind.value))))) @bind.scope
