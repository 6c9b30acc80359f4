(formal_parameters (identifier) @local)
(class_declaration name: (identifier) @owner) @scope.class
(class_declaration name: (identifier) @named)
(class name: (identifier) @owner) @scope.class
(class name: (identifier) @local)
(class) @scope.class
(formal_parameters (assignment_pattern left: (identifier) @local))
(field_definition property: [(property_identifier) (private_property_identifier)] @member)
