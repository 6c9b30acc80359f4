; Scopes

[(class_declaration name: (name) @owner) (interface_declaration name: (name) @owner) (trait_declaration name: (name) @owner) (enum_declaration name: (name) @owner)] @scope.class
[(function_definition) (method_declaration) (anonymous_function_creation_expression) (arrow_function)] @scope.function

; Names

(simple_parameter type: (named_type (name) @type) name: (variable_name) @local)
(simple_parameter name: (variable_name) @local)
(variadic_parameter name: (variable_name) @local)
(property_promotion_parameter name: (variable_name) @local)
(assignment_expression left: (variable_name) @hoisted right: (object_creation_expression (name) @type))
(assignment_expression left: (variable_name) @hoisted)
(augmented_assignment_expression left: (variable_name) @hoisted)
(list_literal (variable_name) @hoisted)
(foreach_statement (variable_name) @hoisted)
(foreach_statement (pair (variable_name) @hoisted))
(catch_clause name: (variable_name) @hoisted)
(static_variable_declaration name: (variable_name) @hoisted)

; Members

(property_declaration (property_element (variable_name (name) @member)))
(const_declaration (const_element (name) @member))
(enum_case name: (name) @member)
