(class_declaration name: (type_identifier) @owner) @scope.class
(abstract_class_declaration name: (type_identifier) @owner) @scope.class
(interface_declaration name: (type_identifier) @owner) @scope.class
(class name: (type_identifier) @owner) @scope.class
(enum_declaration name: (identifier) @owner) @scope.class
(type_alias_declaration name: (type_identifier) @owner value: [(object_type) (intersection_type (object_type))]) @scope.class
[
  (type_annotation [(object_type) (intersection_type (object_type))])
  (type_arguments (object_type))
  (array_type (object_type))
  (union_type (object_type))
] @scope.class
[(function_signature) (method_signature) (abstract_method_signature) (call_signature) (construct_signature) (function_type) (constructor_type)] @scope.function
[(type_alias_declaration) (conditional_type) (mapped_type_clause)] @scope
(internal_module body: (statement_block) @scope.function)

(class_declaration name: (type_identifier) @named)
(abstract_class_declaration name: (type_identifier) @named)
(interface_declaration name: (type_identifier) @named)
(type_alias_declaration name: (type_identifier) @named)
(enum_declaration name: (identifier) @local)
(internal_module name: (identifier) @local)
(function_signature name: (identifier) @named)
(class name: (type_identifier) @local)
(required_parameter pattern: (identifier) @local type: (type_annotation [
  (type_identifier) @type
  (generic_type name: (type_identifier) @type)
  (union_type . (type_identifier) @type . (literal_type [(undefined) (null)]) .)
]))
(optional_parameter pattern: (identifier) @local type: (type_annotation [
  (type_identifier) @type
  (generic_type name: (type_identifier) @type)
  (union_type . (type_identifier) @type . (literal_type [(undefined) (null)]) .)
]))
(required_parameter
  pattern: (object_pattern [
    (shorthand_property_identifier_pattern) @key
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @key)
    (pair_pattern key: (property_identifier) @key)
  ])
  type: (type_annotation [
  (type_identifier) @type
  (generic_type name: (type_identifier) @type)
  (union_type . (type_identifier) @type . (literal_type [(undefined) (null)]) .)
]))
(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)
(lexical_declaration (variable_declarator name: (identifier) @local type: (type_annotation [
  (type_identifier) @type
  (generic_type name: (type_identifier) @type)
  (union_type . (type_identifier) @type . (literal_type [(undefined) (null)]) .)
])))
(variable_declarator type: (type_annotation [
  (type_identifier) @type
  (generic_type name: (type_identifier) @type)
  (union_type . (type_identifier) @type . (literal_type [(undefined) (null)]) .)
]) value: (object [(pair key: (property_identifier) @key) (method_definition name: (property_identifier) @key)]))
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @key
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @key)
    (pair_pattern key: (property_identifier) @key)
  ])
  type: (type_annotation [
  (type_identifier) @type
  (generic_type name: (type_identifier) @type)
  (union_type . (type_identifier) @type . (literal_type [(undefined) (null)]) .)
]))
(public_field_definition type: (type_annotation [
  (type_identifier) @type
  (generic_type name: (type_identifier) @type)
  (union_type . (type_identifier) @type . (literal_type [(undefined) (null)]) .)
]) value: (object (pair key: (property_identifier) @key)))
[
  (as_expression (object (pair key: (property_identifier) @key)) (type_identifier) @type)
  (satisfies_expression (object (pair key: (property_identifier) @key)) (type_identifier) @type)
]
(function_declaration return_type: (type_annotation [
  (type_identifier) @type
  (generic_type name: (type_identifier) @type)
  (union_type . (type_identifier) @type . (literal_type [(undefined) (null)]) .)
]) body: (statement_block (return_statement (object (pair key: (property_identifier) @key)))))
(method_definition return_type: (type_annotation [
  (type_identifier) @type
  (generic_type name: (type_identifier) @type)
  (union_type . (type_identifier) @type . (literal_type [(undefined) (null)]) .)
]) body: (statement_block (return_statement (object (pair key: (property_identifier) @key)))))
(arrow_function return_type: (type_annotation [
  (type_identifier) @type
  (generic_type name: (type_identifier) @type)
  (union_type . (type_identifier) @type . (literal_type [(undefined) (null)]) .)
]) body: [
  (parenthesized_expression (object (pair key: (property_identifier) @key)))
  (statement_block (return_statement (object (pair key: (property_identifier) @key))))
])
(type_parameter name: (type_identifier) @local)
(infer_type (type_identifier) @local)
(mapped_type_clause name: (type_identifier) @local)

(public_field_definition name: [(property_identifier) (private_property_identifier)] @member type: (type_annotation [
  (type_identifier) @type
  (generic_type name: (type_identifier) @type)
  (union_type . (type_identifier) @type . (literal_type [(undefined) (null)]) .)
]))
(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @member
  value: (new_expression constructor: (identifier) @type))
(public_field_definition name: [(property_identifier) (private_property_identifier)] @member)
(class_body (method_definition name: (property_identifier) @_constructor
  parameters: (formal_parameters (required_parameter (accessibility_modifier) pattern: (identifier) @member type: (type_annotation [
  (type_identifier) @type
  (generic_type name: (type_identifier) @type)
  (union_type . (type_identifier) @type . (literal_type [(undefined) (null)]) .)
]))))
  (#eq? @_constructor "constructor"))
(class_body (method_definition name: (property_identifier) @_constructor
  parameters: (formal_parameters (required_parameter (accessibility_modifier) pattern: (identifier) @member)))
  (#eq? @_constructor "constructor"))
(property_signature name: (property_identifier) @member type: (type_annotation [
  (type_identifier) @type
  (generic_type name: (type_identifier) @type)
  (union_type . (type_identifier) @type . (literal_type [(undefined) (null)]) .)
]))
(property_signature name: (property_identifier) @member)
(method_signature name: (property_identifier) @member)
(abstract_method_signature name: (property_identifier) @member)
(enum_body [(property_identifier) @member (enum_assignment name: (property_identifier) @member)])
