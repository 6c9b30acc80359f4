; Definitions

(function_item name: (_) @name body: (block) @body) @definition.function
(function_signature_item name: (_) @name) @definition.function
(macro_definition name: (identifier) @name ["(" "[" "{"] @body) @definition.function

(struct_item name: (_) @name body: (_)? @body) @definition.class
(enum_item name: (_) @name body: (_) @body) @definition.class
(union_item name: (_) @name body: (_) @body) @definition.class
(trait_item name: (_) @name body: (_) @body) @definition.class
(type_item name: (_) @name) @definition.class

(impl_item
  type: [
    (type_identifier) @name
    (generic_type type: (type_identifier) @name)
    (generic_type type: (scoped_type_identifier name: (_) @name))
    (scoped_type_identifier name: (_) @name)
  ]) @scope.class
(mod_item name: (_) @name body: (_)) @scope

(attribute_item) @attribute
(line_comment) @comment
(block_comment) @comment

; Supertypes

(impl_item
  trait: (_) @supertype
  type: [
    (type_identifier) @name
    (generic_type type: (type_identifier) @name)
    (generic_type type: (scoped_type_identifier name: (_) @name))
    (scoped_type_identifier name: (_) @name)
  ])
(trait_item
  name: (_) @name
  bounds: (trait_bounds [(type_identifier) (scoped_type_identifier) (generic_type)] @supertype))

; Uses

(call_expression function: (identifier) @call)
(call_expression function: (field_expression value: (_) @call.on field: (_) @call))
(call_expression function: (scoped_identifier name: (_) @call))
(call_expression function: (generic_function function: (identifier) @call))
(call_expression function: (generic_function function: (scoped_identifier name: (_) @call)))
(call_expression function: (generic_function function: (field_expression value: (_) @call.on field: (_) @call)))
(macro_invocation macro: (identifier) @call)
(macro_invocation macro: (scoped_identifier name: (_) @call))
(token_tree (identifier) @call.token . (token_tree "("))

(use_declaration argument: (_) @import.tree)
(extern_crate_declaration name: (_) @import.path)

; Symbols

(const_item name: (identifier) @name) @symbol.constant
(static_item name: (identifier) @name) @symbol.constant ; functions have some, too, unlike variables
(field_declaration name: (field_identifier) @name) @symbol.field
(enum_variant name: (identifier) @name) @symbol.enummember
(associated_type name: (type_identifier) @name) @symbol.type
(mod_item name: (identifier) @name) @symbol.namespace
((call_expression function: (field_expression field: (field_identifier) @_route)
  arguments: (arguments . (string_literal) @name . (_))) @symbol.route
  (#eq? @_route "route") (#match? @name "^./"))
((attribute_item (attribute . (identifier) @_verb arguments: (token_tree . (string_literal) @name))) @symbol.route
  (#any-of? @_verb "get" "post" "put" "patch" "delete" "head") (#match? @name "^./"))

; Types

(function_item name: (_) @name return_type: (_) @result)
(function_signature_item name: (_) @name return_type: (_) @result)
(_ parameters: (parameters (parameter pattern: (_) @bind type: (_) @bind.type))) @bind.scope
(closure_expression parameters: (closure_parameters (parameter pattern: (_) @bind type: (_) @bind.type))) @bind.scope
(closure_expression parameters: (closure_parameters [(identifier) (tuple_pattern) (reference_pattern)] @bind)) @bind.scope
(call_expression
  function: (field_expression value: (_) @bind.each field: (_) @_over)
  arguments: (arguments . (closure_expression
    parameters: (closure_parameters . [(identifier) (tuple_pattern) (reference_pattern)] @bind)) @bind.scope)
  (#any-of? @_over
    "map" "and_then" "filter" "filter_map" "flat_map" "for_each" "try_for_each" "any" "all" "find" "find_map" "position" "inspect"
    "is_some_and" "is_ok_and" "take_while" "skip_while" "map_while" "partition" "retain" "max_by_key" "min_by_key" "sort_by_key"))
(let_declaration pattern: (_) @bind type: (_) @bind.type)
(let_declaration pattern: (_) @bind value: (_) @bind.value)
(if_expression condition: (let_condition pattern: (_) @bind value: (_) @bind.value)) @bind.scope
(if_expression condition: (let_chain (let_condition pattern: (_) @bind value: (_) @bind.value))) @bind.scope
(while_expression condition: (let_condition pattern: (_) @bind value: (_) @bind.value)) @bind.scope
(for_expression pattern: (_) @bind value: (_) @bind.each body: (_) @bind.scope)
(match_expression value: (_) @bind.value
  body: (match_block (match_arm pattern: (match_pattern . (_) @bind)) @bind.scope))
(field_declaration name: (_) @bind type: (_) @bind.type)
(enum_variant name: (_) @bind body: (ordered_field_declaration_list) @bind.type)
(struct_item name: (_) @bind body: (ordered_field_declaration_list) @bind.type)
(static_item name: (_) @bind type: (_) @bind.type)
(const_item name: (_) @bind type: (_) @bind.type)
(type_item name: (_) @bind type: (_) @bind.type)
