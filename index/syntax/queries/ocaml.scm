; Definitions

(let_binding pattern: [(value_name) (parenthesized_operator)] @name (parameter) body: (_) @body) @definition.function
(let_binding
  pattern: [(value_name) (parenthesized_operator)] @name
  body: [(fun_expression) (function_expression)] @body) @definition.function
(external (value_name) @name) @definition.function
(value_specification [(value_name) (parenthesized_operator)] @name) @definition.function
(method_specification (method_name) @name) @definition.method
(method_definition name: (_) @name body: (_) @body) @definition.method

(type_binding name: (_) @name) @definition.class
(type_binding name: (_) @name body: (_) @body)
(exception_definition (constructor_declaration (constructor_name) @name)) @definition.class
(module_type_definition name: (_) @name body: (_)? @body) @definition.class
(class_binding name: (_) @name body: (_)? @body) @definition.class
(module_binding name: (_) @name) @scope

(value_definition (let_binding) @inner) @outer
(type_definition (type_binding) @inner) @outer
(class_definition (class_binding) @inner) @outer

(comment) @comment

; Uses

(application_expression function: (value_path (value_name) @call))
(method_invocation (method_name) @call)

(open_module (module_path) @import.path)

; Symbols

(value_definition (let_binding pattern: (value_name) @name)) @symbol.variable
(field_declaration (field_name) @name) @symbol.field
(type_definition (type_binding body: (variant_declaration (constructor_declaration (constructor_name) @name) @symbol.enummember)))
(instance_variable_definition name: (_) @name) @symbol.field
(module_binding name: (_) @name) @symbol.namespace
