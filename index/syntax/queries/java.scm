; Definitions

(method_declaration name: (_) @name body: (_)? @body) @definition.function
(constructor_declaration name: (_) @name body: (_) @body) @definition.function
(compact_constructor_declaration name: (_) @name body: (_) @body) @definition.function

(class_declaration name: (_) @name body: (_) @body) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.class
(enum_declaration name: (_) @name body: (_) @body) @definition.class
(record_declaration name: (_) @name body: (_) @body) @definition.class
(annotation_type_declaration name: (_) @name body: (_) @body) @definition.class

(modifiers [(annotation) (marker_annotation)] @attribute)
(line_comment) @comment
(block_comment) @comment

; Supertypes

(class_declaration name: (_) @name superclass: (superclass (_) @supertype))
(class_declaration name: (_) @name interfaces: (super_interfaces (type_list (_) @supertype)))
(enum_declaration name: (_) @name interfaces: (super_interfaces (type_list (_) @supertype)))
(record_declaration name: (_) @name interfaces: (super_interfaces (type_list (_) @supertype)))
(interface_declaration name: (_) @name (extends_interfaces (type_list (_) @supertype)))

; Uses

(method_invocation name: (_) @call)
(method_reference (_) (identifier) @call .)
(object_creation_expression type: (type_identifier) @call)
(object_creation_expression type: (generic_type . (type_identifier) @call))
(object_creation_expression type: (scoped_type_identifier (type_identifier) @call .))

(import_declaration [(identifier) (scoped_identifier)] @import.path)
(import_declaration [(identifier) (scoped_identifier)] @import.path (asterisk) @import.name)

; Symbols

(package_declaration [(identifier) (scoped_identifier)] @name) @symbol.namespace
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @symbol.field
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @symbol.constant
(enum_constant name: (identifier) @name) @symbol.enummember
(annotation_type_element_declaration name: (identifier) @name) @symbol.method
(record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @name) @symbol.property))
((annotation name: (identifier) @_mapping arguments: (annotation_argument_list [
  (string_literal) @name
  (element_value_pair key: (identifier) @_key value: (string_literal) @name)
])) @symbol.route
  (#match? @_mapping "^((Get|Post|Put|Patch|Delete|Request)Mapping|Path)$")
  (#any-of? @_key "value" "path"))

; Types

(method_declaration type: (_) @result name: (_) @name)
(_ parameters: (formal_parameters [
  (formal_parameter type: (_) @bind.type name: (_) @bind)
  (spread_parameter (_) @bind.type (variable_declarator name: (_) @bind))
])) @bind.scope
(lambda_expression parameters: [(identifier) @bind (inferred_parameters (identifier) @bind)]) @bind.scope
(local_variable_declaration type: (_) @bind.type declarator: (variable_declarator name: (_) @bind))
(variable_declarator name: (_) @bind value: (_) @bind.value)
(field_declaration type: (_) @bind.type declarator: (variable_declarator name: (_) @bind))
(constant_declaration type: (_) @bind.type declarator: (variable_declarator name: (_) @bind))
(enhanced_for_statement type: (_) @bind.type name: (_) @bind)
(enhanced_for_statement name: (_) @bind value: (_) @bind.each)
(resource type: (_) @bind.type name: (_) @bind)
(resource name: (_) @bind value: (_) @bind.value)
(instanceof_expression right: (_) @bind.type name: (identifier) @bind)
