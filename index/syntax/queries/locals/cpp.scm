(class_specifier name: (type_identifier) @owner) @scope.class
(lambda_expression) @scope.function
[(for_range_loop) (if_statement) (while_statement) (catch_clause) (namespace_definition)] @scope
(parameter_declaration declarator: (reference_declarator (identifier) @hoisted))
(optional_parameter_declaration declarator: (identifier) @hoisted)
(optional_parameter_declaration declarator: [(pointer_declarator declarator: (identifier) @hoisted) (reference_declarator (identifier) @hoisted)])
(declaration declarator: [(reference_declarator (identifier) @local) (init_declarator declarator: (reference_declarator (identifier) @local))])
(declaration declarator: (init_declarator declarator: (structured_binding_declarator (identifier) @local)))
(for_range_loop declarator: [(identifier) @local (reference_declarator (identifier) @local) (pointer_declarator declarator: (identifier) @local)])
(for_range_loop declarator: [(structured_binding_declarator (identifier) @local) (reference_declarator (structured_binding_declarator (identifier) @local))])
(type_parameter_declaration (type_identifier) @local)
(field_declaration declarator: [
  (field_identifier) @field
  (pointer_declarator declarator: (field_identifier) @field)
  (reference_declarator (field_identifier) @field)
  (array_declarator declarator: (field_identifier) @field)
])
(field_initializer (field_identifier) @key)
