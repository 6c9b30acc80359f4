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
(call_expression function: (field_expression field: (_) @call))
(call_expression function: (scoped_identifier name: (_) @call))
(call_expression function: (generic_function function: (identifier) @call))
(call_expression function: (generic_function function: (scoped_identifier name: (_) @call)))
(call_expression function: (generic_function function: (field_expression field: (_) @call)))
(macro_invocation macro: (identifier) @call)
(macro_invocation macro: (scoped_identifier name: (_) @call))

(use_declaration argument: (identifier) @import.path)
(use_declaration argument: (scoped_identifier) @import.path)
(use_declaration argument: (use_as_clause path: (_) @import.path alias: (_) @import.name))
(use_declaration argument: (use_wildcard (_) @import.path "*" @import.name))
(use_declaration argument: (scoped_use_list path: (_) @import.path list: (use_list (identifier) @import.name)))
(use_declaration argument: (scoped_use_list path: (_) @import.path list: (use_list (self) @import.name)))
(use_declaration
  argument: (scoped_use_list path: (_) @import.path list: (use_list (use_as_clause alias: (_) @import.name))))
(use_declaration
  argument: (scoped_use_list path: (_) @import.path list: (use_list (scoped_identifier name: (_) @import.name))))
(use_list (scoped_use_list path: (_) @import.path list: (use_list (identifier) @import.name)))
(use_list (scoped_use_list path: (_) @import.path list: (use_list (use_as_clause alias: (_) @import.name))))
(extern_crate_declaration name: (_) @import.path)

; Symbols

(const_item name: (identifier) @name) @symbol.constant
(static_item name: (identifier) @name) @symbol.variable
(field_declaration name: (field_identifier) @name) @symbol.field
(enum_variant name: (identifier) @name) @symbol.enummember
(associated_type name: (type_identifier) @name) @symbol.type
(mod_item name: (identifier) @name) @symbol.namespace
((call_expression function: (field_expression field: (field_identifier) @_route)
  arguments: (arguments . (string_literal) @name . (_))) @symbol.route
  (#eq? @_route "route") (#match? @name "^./"))
((attribute_item (attribute . (identifier) @_verb arguments: (token_tree . (string_literal) @name))) @symbol.route
  (#any-of? @_verb "get" "post" "put" "patch" "delete" "head") (#match? @name "^./"))
