(class_declaration name: (type_identifier) @owner) @scope.class
(abstract_class_declaration name: (type_identifier) @owner) @scope.class
(interface_declaration name: (type_identifier) @owner) @scope.class
(class name: (type_identifier) @owner) @scope.class
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
(required_parameter pattern: (identifier) @local type: (type_annotation (type_identifier) @type))
(optional_parameter pattern: (identifier) @local type: (type_annotation (type_identifier) @type))
(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)
(lexical_declaration (variable_declarator name: (identifier) @local type: (type_annotation (type_identifier) @type)))
(type_parameter name: (type_identifier) @local)
(infer_type (type_identifier) @local)
(mapped_type_clause name: (type_identifier) @local)

(public_field_definition name: [(property_identifier) (private_property_identifier)] @member type: (type_annotation (type_identifier) @type))
(public_field_definition name: [(property_identifier) (private_property_identifier)] @member)
(class_body (method_definition name: (property_identifier) @_constructor
  parameters: (formal_parameters (required_parameter (accessibility_modifier) pattern: (identifier) @member)))
  (#eq? @_constructor "constructor"))
(property_signature name: (property_identifier) @member)
(method_signature name: (property_identifier) @member)
(abstract_method_signature name: (property_identifier) @member)
(enum_body [(property_identifier) @member (enum_assignment name: (property_identifier) @member)])
