; Scopes

[(class_declaration name: (identifier) @owner) (interface_declaration name: (identifier) @owner) (enum_declaration name: (identifier) @owner) (record_declaration name: (identifier) @owner)] @scope.class
(object_creation_expression (class_body) @scope.class)
[(method_declaration) (constructor_declaration) (compact_constructor_declaration) (lambda_expression)] @scope.function
[(block) (constructor_body) (for_statement) (enhanced_for_statement) (try_with_resources_statement) (catch_clause) (switch_block_statement_group) (switch_rule) (static_initializer)] @scope

; Names

(class_declaration name: (identifier) @named)
(interface_declaration name: (identifier) @named)
(enum_declaration name: (identifier) @named)
(record_declaration name: (identifier) @named)
(local_variable_declaration type: [(type_identifier) @type (generic_type (type_identifier) @type)] declarator: (variable_declarator name: (identifier) @local))
(local_variable_declaration declarator: (variable_declarator name: (identifier) @local))
(formal_parameter type: [(type_identifier) @type (generic_type (type_identifier) @type)] name: (identifier) @local)
(formal_parameter name: (identifier) @local)
(spread_parameter (variable_declarator name: (identifier) @local))
(inferred_parameters (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(enhanced_for_statement type: (type_identifier) @type name: (identifier) @local)
(enhanced_for_statement name: (identifier) @local)
(resource type: (type_identifier) @type name: (identifier) @local)
(resource name: (identifier) @local)
(catch_formal_parameter name: (identifier) @local)
(instanceof_expression name: (identifier) @hoisted)
(type_parameter (type_identifier) @local)

; Members

(field_declaration type: [(type_identifier) @type (generic_type (type_identifier) @type)] declarator: (variable_declarator name: (identifier) @field))
(field_declaration declarator: (variable_declarator name: (identifier) @field))
(constant_declaration declarator: (variable_declarator name: (identifier) @field))
(enum_constant name: (identifier) @field)
(element_value_pair key: (identifier) @key)
(labeled_statement (identifier) @key)
(break_statement (identifier) @key)
(continue_statement (identifier) @key)
