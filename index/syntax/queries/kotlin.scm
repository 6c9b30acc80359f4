; Definitions

(function_declaration (simple_identifier) @name (function_body)? @body) @definition.function
(function_declaration (user_type (type_identifier) @container . (type_arguments)? .) . (simple_identifier) @name)
(function_declaration (nullable_type (user_type (type_identifier) @container . (type_arguments)? .)) . (simple_identifier) @name)
(secondary_constructor "constructor" @name) @definition.function

(class_declaration (type_identifier) @name) @definition.class
(class_declaration (type_identifier) @name [(class_body) (enum_class_body)] @body)
(object_declaration (type_identifier) @name (class_body)? @body) @definition.class
(companion_object (type_identifier) @name) @scope.class
(type_alias (type_identifier) @name) @definition.class

(modifiers (annotation) @attribute)
(line_comment) @comment
(multiline_comment) @comment

; Supertypes

(class_declaration (type_identifier) @name (delegation_specifier (user_type) @supertype))
(class_declaration (type_identifier) @name (delegation_specifier (constructor_invocation (user_type) @supertype)))
(class_declaration (type_identifier) @name (delegation_specifier (explicit_delegation (user_type) @supertype)))
(object_declaration (type_identifier) @name (delegation_specifier (user_type) @supertype))
(object_declaration (type_identifier) @name (delegation_specifier (constructor_invocation (user_type) @supertype)))

; Uses

(call_expression . (simple_identifier) @call)
(call_expression . (navigation_expression (navigation_suffix (simple_identifier) @call) .))
(delegation_specifier (constructor_invocation (user_type (type_identifier) @call .)))

(import_header (identifier) @import.path)
(import_header (identifier) @import.path (import_alias (type_identifier) @import.name))
(import_header (identifier) @import.path (wildcard_import) @import.name)

; Symbols

(package_header (identifier) @name) @symbol.namespace
(property_declaration (variable_declaration (simple_identifier) @name)) @symbol.variable
(class_parameter (binding_pattern_kind) (simple_identifier) @name) @symbol.property
(enum_entry (simple_identifier) @name) @symbol.enummember
