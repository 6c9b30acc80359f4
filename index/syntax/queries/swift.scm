; Definitions. Compiling a pattern with both the name and the body of a function takes minutes with this grammar, so
; the bodies stand alone.

(function_declaration name: (simple_identifier) @name) @definition.function
(protocol_function_declaration name: (simple_identifier) @name) @definition.function
(init_declaration "init" @name) @definition.function
(deinit_declaration "deinit" @name) @definition.function

(class_declaration name: (type_identifier) @name) @definition.class
(protocol_declaration name: (type_identifier) @name) @definition.class
(typealias_declaration name: (type_identifier) @name) @definition.class
(class_declaration "extension" name: (user_type (type_identifier) @name)) @scope.class

(function_body) @body
(class_body) @body
(enum_class_body) @body
(protocol_body) @body

(attribute) @attribute
(comment) @comment
(multiline_comment) @comment

; Supertypes

(class_declaration name: (type_identifier) @name (inheritance_specifier inherits_from: (user_type) @supertype))
(class_declaration
  name: (user_type (type_identifier) @name)
  (inheritance_specifier inherits_from: (user_type) @supertype))
(protocol_declaration name: (type_identifier) @name (inheritance_specifier inherits_from: (user_type) @supertype))

; Uses

(call_expression (simple_identifier) @call)
(call_expression (navigation_expression (navigation_suffix (simple_identifier) @call)))
(constructor_expression (user_type (type_identifier) @call))

(import_declaration (identifier) @import.path)

; Symbols

(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @symbol.variable
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @symbol.property
(enum_entry name: (simple_identifier) @name) @symbol.enummember
(associatedtype_declaration name: (type_identifier) @name) @symbol.type
