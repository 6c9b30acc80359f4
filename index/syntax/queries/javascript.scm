; What JavaScript has beyond ecma.scm.

(field_definition
  property: (_) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
  ]) @definition.function

; Supertypes

(class_declaration name: (_) @name (class_heritage [(identifier) (member_expression)] @supertype))
(variable_declarator
  name: (identifier) @name
  value: (class (class_heritage [(identifier) (member_expression)] @supertype)))
(assignment_expression
  right: (class name: (_) @name (class_heritage [(identifier) (member_expression)] @supertype)))

; Symbols

(field_definition property: (_) @name) @symbol.property
(_ parameters: (formal_parameters [
  (identifier) @bind
  (object_pattern) @bind
  (assignment_pattern left: (_) @bind right: (_) @bind.value)
])) @bind.scope
