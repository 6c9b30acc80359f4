; Definitions

(function_definition name: (_) @name body: (_) @body) @definition.function
(function_declaration name: (_) @name) @definition.function
(val_definition pattern: (identifier) @name value: (lambda_expression) @body) @definition.function
(extension_definition
  parameters: (parameters . (parameter type: (_) @container))
  body: (function_definition name: (_) @name))

(class_definition name: (_) @name body: (_)? @body) @definition.class
(object_definition name: (_) @name body: (_)? @body) @definition.class
(trait_definition name: (_) @name body: (_)? @body) @definition.class
(enum_definition name: (_) @name body: (_) @body) @definition.class
(package_object name: (_) @name body: (_) @body) @definition.class
(given_definition name: (_) @name body: (_)? @body) @definition.class
(type_definition name: (_) @name) @definition.class

(annotation) @attribute
(comment) @comment
(block_comment) @comment

; Supertypes

(class_definition name: (_) @name
  extend: (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @supertype))
(object_definition name: (_) @name
  extend: (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @supertype))
(trait_definition name: (_) @name
  extend: (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @supertype))
(enum_definition name: (_) @name
  extend: (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @supertype))

; Uses

(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (_) @call))
(call_expression function: (generic_function function: (identifier) @call))
(instance_expression . (type_identifier) @call)

(import_declaration) @import.path

; Symbols

(val_definition pattern: (identifier) @name) @symbol.variable
(var_definition pattern: (identifier) @name) @symbol.variable
(val_declaration name: (identifier) @name) @symbol.property
(var_declaration name: (identifier) @name) @symbol.property
(class_definition class_parameters: (class_parameters (class_parameter name: (identifier) @name) @symbol.property))
(simple_enum_case name: (identifier) @name) @symbol.enummember
(full_enum_case name: (identifier) @name) @symbol.enummember
