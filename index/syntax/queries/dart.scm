; Definitions. A signature and its body stand side by side: the definition is both.

((function_signature name: (identifier) @name) @definition.function . (function_body) @definition.function @body)
((getter_signature name: (identifier) @name) @definition.function . (function_body) @definition.function @body)
((setter_signature name: (identifier) @name) @definition.function . (function_body) @definition.function @body)
((method_signature (function_signature name: (identifier) @name)) @definition.function . (function_body) @definition.function @body)
((method_signature (getter_signature name: (identifier) @name)) @definition.function . (function_body) @definition.function @body)
((method_signature (setter_signature name: (identifier) @name)) @definition.function . (function_body) @definition.function @body)
((method_signature (operator_signature (binary_operator) @name)) @definition.function . (function_body) @definition.function @body)
((method_signature (constructor_signature name: (identifier) @name . parameters: (_))) @definition.function . (function_body) @definition.function @body)
((method_signature (factory_constructor_signature (identifier) @name . (formal_parameter_list))) @definition.function . (function_body) @definition.function @body)
(declaration (constructor_signature name: (identifier) @name . parameters: (_))) @definition.function
(declaration (constant_constructor_signature (qualified (identifier) @name .))) @definition.function

(class_definition name: (identifier) @name body: (_) @body) @definition.class
(mixin_declaration (identifier) @name (class_body) @body) @definition.class
(enum_declaration name: (identifier) @name body: (_) @body) @definition.class
(extension_declaration name: (identifier) @name body: (_) @body) @definition.class
(type_alias . (type_identifier) @name) @definition.class

(documentation_comment) @comment
(comment) @comment
(marker_annotation) @attribute
(annotation) @attribute

; Supertypes

(class_definition name: (identifier) @name superclass: (superclass (type_identifier) @supertype))
(class_definition name: (identifier) @name superclass: (superclass (mixins (type_identifier) @supertype)))
(class_definition name: (identifier) @name interfaces: (interfaces (type_identifier) @supertype))

; Uses

((identifier) @call . (selector (argument_part)))
((selector (unconditional_assignable_selector (identifier) @call)) . (selector (argument_part)))
((selector (conditional_assignable_selector (identifier) @call)) . (selector (argument_part)))
(new_expression (type_identifier) @call)
(const_object_expression (type_identifier) @call)

(import_specification (configurable_uri (uri) @import.path))
(import_specification (configurable_uri (uri) @import.path) (identifier) @import.all)
(part_directive (uri) @import.path)
(library_export (configurable_uri (uri) @export.path))

; Symbols

(declaration (function_signature name: (identifier) @name)) @symbol.method
(declaration (getter_signature name: (identifier) @name)) @symbol.method
(initialized_identifier . (identifier) @name) @symbol.field
(static_final_declaration . (identifier) @name) @symbol.constant
(enum_constant name: (identifier) @name) @symbol.enummember
