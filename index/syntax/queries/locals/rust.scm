; Scopes

[(function_item) (closure_expression) (function_signature_item)] @scope.function
[(block) (match_arm) (for_expression) (if_expression) (while_expression) (let_chain)] @scope
[(struct_item name: (type_identifier) @owner) (enum_item name: (type_identifier) @owner) (union_item name: (type_identifier) @owner)] @scope.class
(trait_item name: (type_identifier) @owner) @scope.class
(impl_item type: [(type_identifier) @owner (generic_type type: (type_identifier) @owner)]) @scope.class

; Names

(function_item name: (identifier) @named)
(let_declaration pattern: (identifier) @local type: [(type_identifier) @type (reference_type type: (type_identifier) @type)]) @after
(let_declaration pattern: (identifier) @local value: (struct_expression name: (type_identifier) @type)) @after
(let_declaration pattern: (identifier) @local) @after
(let_declaration pattern: (mut_pattern (identifier) @local)) @after
(let_declaration pattern: [(tuple_pattern (identifier) @local) (tuple_struct_pattern (identifier) @local .) (slice_pattern (identifier) @local)]) @after
(let_declaration pattern: (tuple_pattern (mut_pattern (identifier) @local))) @after
(parameter pattern: (identifier) @local type: [(type_identifier) @type (reference_type type: (type_identifier) @type)])
(parameter pattern: [(identifier) @local (mut_pattern (identifier) @local) (ref_pattern (identifier) @local) (tuple_pattern (identifier) @local)])
(closure_parameters [(identifier) @local (tuple_pattern (identifier) @local) (reference_pattern (identifier) @local)])
(for_expression pattern: [(identifier) @local (tuple_pattern (identifier) @local) (reference_pattern (identifier) @local)])
(let_condition pattern: (tuple_struct_pattern type: (_) (identifier) @local))
(match_pattern (tuple_struct_pattern type: (_) (identifier) @local))
(match_pattern (tuple_struct_pattern type: (_) (tuple_pattern (identifier) @local)))
(captured_pattern . (identifier) @local)
(field_pattern name: (shorthand_field_identifier) @local)
(const_item name: (identifier) @local)
(static_item name: (identifier) @local)
(type_parameters (type_identifier) @local)
(constrained_type_parameter left: (type_identifier) @local)

; Members

(field_declaration name: (field_identifier) @member type: [(type_identifier) @type (reference_type type: (type_identifier) @type)])
(field_declaration name: (field_identifier) @member)
(enum_variant name: (identifier) @member)
(field_initializer field: (field_identifier) @key)
(field_pattern name: (field_identifier) @key)
