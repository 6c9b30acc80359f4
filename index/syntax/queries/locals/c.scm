; Scopes

(function_definition) @scope.function
[(compound_statement) (for_statement)] @scope
(struct_specifier name: (type_identifier) @owner body: (field_declaration_list)) @scope.class
(union_specifier name: (type_identifier) @owner body: (field_declaration_list)) @scope.class
(parameter_list) @scope

; Names

(function_definition declarator: (function_declarator parameters: (parameter_list (parameter_declaration declarator: (identifier) @hoisted))))
(parameter_declaration type: (type_identifier) @type declarator: [(identifier) @hoisted (pointer_declarator declarator: (identifier) @hoisted)])
(parameter_declaration type: (struct_specifier name: (type_identifier) @type) declarator: [(identifier) @hoisted (pointer_declarator declarator: (identifier) @hoisted)])
(parameter_declaration declarator: [
  (identifier) @hoisted
  (pointer_declarator declarator: (identifier) @hoisted)
  (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @hoisted))
  (array_declarator declarator: (identifier) @hoisted)
  (pointer_declarator declarator: (array_declarator declarator: (identifier) @hoisted))
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @hoisted)))
])
(declaration type: (struct_specifier name: (type_identifier) @type) declarator: [
  (identifier) @local
  (init_declarator declarator: (identifier) @local)
  (pointer_declarator declarator: (identifier) @local)
  (init_declarator declarator: (pointer_declarator declarator: (identifier) @local))
])
(declaration type: (type_identifier) @type declarator: [
  (identifier) @local
  (init_declarator declarator: (identifier) @local)
  (pointer_declarator declarator: (identifier) @local)
  (init_declarator declarator: (pointer_declarator declarator: (identifier) @local))
])
(declaration declarator: [
  (identifier) @local
  (init_declarator declarator: (identifier) @local)
  (pointer_declarator declarator: (identifier) @local)
  (init_declarator declarator: (pointer_declarator declarator: (identifier) @local))
  (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @local))
  (init_declarator declarator: (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @local)))
  (array_declarator declarator: (identifier) @local)
  (init_declarator declarator: (array_declarator declarator: (identifier) @local))
  (array_declarator declarator: (array_declarator declarator: (identifier) @local))
  (pointer_declarator declarator: (array_declarator declarator: (identifier) @local))
  (init_declarator declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @local)))
])
(enumerator name: (identifier) @local)
(preproc_def name: (identifier) @local)
(preproc_function_def name: (identifier) @local)

; Members

(field_declaration type: (struct_specifier name: (type_identifier) @type) declarator: [(field_identifier) @member (pointer_declarator declarator: (field_identifier) @member)])
(field_declaration declarator: [
  (field_identifier) @member
  (pointer_declarator declarator: (field_identifier) @member)
  (array_declarator declarator: (field_identifier) @member)
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @member)))
])
(field_designator (field_identifier) @key)
(statement_identifier) @key
