; Scopes

[(class_declaration name: (identifier) @owner) (struct_declaration name: (identifier) @owner) (interface_declaration name: (identifier) @owner) (record_declaration name: (identifier) @owner) (enum_declaration name: (identifier) @owner)] @scope.class
[(method_declaration) (constructor_declaration) (local_function_statement) (lambda_expression) (anonymous_method_expression) (accessor_declaration) (operator_declaration)] @scope.function
[(block) (for_statement) (using_statement) (catch_clause) (switch_section)] @scope

; Names

(class_declaration name: (identifier) @named)
(struct_declaration name: (identifier) @named)
(interface_declaration name: (identifier) @named)
(record_declaration name: (identifier) @named)
(enum_declaration name: (identifier) @named)
(local_function_statement name: (identifier) @named)
(parameter type: (identifier) @type name: (identifier) @local)
(parameter name: (identifier) @local)
(lambda_expression parameters: (implicit_parameter) @local)
(local_declaration_statement (variable_declaration type: (identifier) @type (variable_declarator name: (identifier) @local)))
(local_declaration_statement (variable_declaration (variable_declarator name: (identifier) @local)))
(for_statement initializer: (variable_declaration (variable_declarator name: (identifier) @local)))
(using_statement (variable_declaration (variable_declarator name: (identifier) @local)))
(catch_declaration name: (identifier) @local)
(declaration_expression name: (identifier) @hoisted)
(declaration_pattern name: (identifier) @hoisted)
(type_parameter name: (identifier) @local)

; Members

(field_declaration (variable_declaration type: (identifier) @type (variable_declarator name: (identifier) @field)))
(field_declaration (variable_declaration (variable_declarator name: (identifier) @field)))
(property_declaration type: (identifier) @type name: (identifier) @field)
(property_declaration name: (identifier) @field)
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @field)))
(enum_member_declaration name: (identifier) @field)
