; What TypeScript has beyond ecma.scm.

(public_field_definition
  name: (_) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
  ]) @definition.function

(abstract_class_declaration name: (_) @name body: (_) @body) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.class
(type_alias_declaration name: (_) @name) @definition.class
(enum_declaration name: (_) @name body: (_) @body) @definition.class
(function_signature name: (_) @name) @definition.function

(internal_module name: (_) @name) @scope
(module name: (_) @name) @scope

(ambient_declaration (_) @inner) @outer
(import_require_clause (identifier) @import.name source: (string) @import.path)

; Supertypes

(class_declaration name: (_) @name (class_heritage (extends_clause value: (_) @supertype)))
(class_declaration name: (_) @name (class_heritage (implements_clause (_) @supertype)))
(abstract_class_declaration name: (_) @name (class_heritage (extends_clause value: (_) @supertype)))
(abstract_class_declaration name: (_) @name (class_heritage (implements_clause (_) @supertype)))
(variable_declarator
  name: (identifier) @name
  value: (class (class_heritage (extends_clause value: (_) @supertype))))
(interface_declaration name: (_) @name (extends_type_clause type: (_) @supertype))

; Symbols

(property_signature name: (_) @name) @symbol.property
(method_signature name: (_) @name) @symbol.method
(abstract_method_signature name: (_) @name) @symbol.method
(public_field_definition name: (_) @name) @symbol.property
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @symbol.field
(required_parameter "readonly" pattern: (identifier) @name) @symbol.field
(enum_body name: (_) @name @symbol.enummember)
(enum_assignment name: (_) @name) @symbol.enummember
(ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name)) @symbol.constant)
(ambient_declaration (variable_declaration (variable_declarator name: (identifier) @name)) @symbol.variable)
(internal_module name: (_) @name) @symbol.namespace
(module name: (_) @name) @symbol.namespace
(variable_declarator value: [
  (as_expression (object (pair key: (_) @name) @symbol.property))
  (satisfies_expression (object (pair key: (_) @name) @symbol.property))
])

; Types

(function_declaration name: (_) @name return_type: (type_annotation (_) @result))
(function_signature name: (_) @name return_type: (type_annotation (_) @result))
(method_definition name: (_) @name return_type: (type_annotation (_) @result))
(variable_declarator name: (identifier) @name value: (arrow_function return_type: (type_annotation (_) @result)))
(public_field_definition name: (_) @name value: (arrow_function return_type: (type_annotation (_) @result)))
(method_signature name: (_) @bind return_type: (type_annotation (_) @result))
(abstract_method_signature name: (_) @bind return_type: (type_annotation (_) @result))
(_ parameters: (formal_parameters (_ pattern: (_) @bind type: (type_annotation (_) @bind.type)))) @bind.scope
(_ parameters: (formal_parameters (_ pattern: (_) @bind !type value: (_) @bind.value))) @bind.scope
(_ parameters: (formal_parameters (_ pattern: (_) @bind !type !value))) @bind.scope
(variable_declarator name: (_) @bind type: (type_annotation (_) @bind.type))
(property_signature name: (_) @bind type: (type_annotation (_) @bind.type))
(public_field_definition name: (_) @bind type: (type_annotation (_) @bind.type))
(public_field_definition name: (_) @bind value: (_) @bind.value)
(type_alias_declaration name: (_) @bind value: (_) @bind.type)
