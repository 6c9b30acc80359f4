; What C++ has beyond c.scm.

; Functions in classes, and those that are defined outside of their class

(function_definition
  declarator: [
    (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)] @name)
    (_ (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)] @name))
  ]) @definition.function

(function_definition
  declarator: [
    (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)] @name)
    (_ (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)] @name))
  ]
  body: (_) @body)

(field_declaration
  declarator: [
    (function_declarator declarator: [(field_identifier) (operator_name)] @name)
    (_ (function_declarator declarator: [(field_identifier) (operator_name)] @name))
  ]) @definition.function

(function_definition
  declarator: [
    (function_declarator declarator: (qualified_identifier
      scope: [(namespace_identifier) @container (template_type name: (_) @container)]
      name: [(identifier) (destructor_name) (operator_name)] @name))
    (_ (function_declarator declarator: (qualified_identifier
      scope: [(namespace_identifier) @container (template_type name: (_) @container)]
      name: [(identifier) (destructor_name) (operator_name)] @name)))
    (function_declarator declarator: (qualified_identifier
      name: (qualified_identifier
        scope: [(namespace_identifier) @container (template_type name: (_) @container)]
        name: [(identifier) (destructor_name) (operator_name)] @name)))
  ]
  body: (_)? @body) @definition.method

; Types

(class_specifier name: (type_identifier) @name body: (_) @body) @definition.class
(class_specifier name: (template_type name: (_) @name) body: (_) @body) @definition.class
(struct_specifier name: (template_type name: (_) @name) body: (_) @body) @definition.class
(template_declaration (struct_specifier name: (type_identifier) @name body: (_) @body) @definition.class)
(alias_declaration name: (_) @name) @definition.class
(concept_definition name: (_) @name) @definition.class

(namespace_definition name: (_) @name) @scope

(template_declaration
  [
    (function_definition)
    (class_specifier)
    (struct_specifier)
    (declaration)
    (field_declaration)
    (alias_declaration)
    (concept_definition)
  ] @inner) @outer
(linkage_specification body: [(function_definition) (declaration)] @inner) @outer

; Supertypes

(class_specifier
  name: (_) @name
  (base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @supertype))
(struct_specifier
  name: (_) @name
  (base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @supertype))

; Uses

(call_expression function: (qualified_identifier name: (identifier) @call))
(call_expression function: (qualified_identifier name: (qualified_identifier name: (identifier) @call)))
(call_expression function: (template_function name: (identifier) @call))
(call_expression function: (field_expression field: (template_method name: (_) @call)))
(call_expression function: (qualified_identifier name: (template_function name: (_) @call)))
(new_expression type: (type_identifier) @call)

; Symbols

(declaration declarator: (_ (identifier) @name)) @symbol.variable
(declaration
  declarator: (init_declarator declarator: (qualified_identifier name: (identifier) @name))) @symbol.variable
(declaration declarator: (qualified_identifier name: (identifier) @name)) @symbol.variable
(namespace_definition name: (_) @name) @symbol.namespace
