; Definitions

(method_declaration name: (_) @name) @definition.function
(method_declaration name: (_) @name body: (_) @body)
(constructor_declaration name: (_) @name body: (_)? @body) @definition.function
(local_function_statement name: (_) @name body: (_) @body) @definition.function
(operator_declaration operator: _ @name body: (_)? @body) @definition.function

(class_declaration name: (_) @name body: (_)? @body) @definition.class
(struct_declaration name: (_) @name body: (_)? @body) @definition.class
(interface_declaration name: (_) @name body: (_)? @body) @definition.class
(record_declaration name: (_) @name body: (_)? @body) @definition.class
(enum_declaration name: (_) @name body: (_) @body) @definition.class
(delegate_declaration name: (_) @name) @definition.class

(attribute_list) @attribute
(comment) @comment

; Supertypes

(class_declaration name: (_) @name (base_list [(identifier) (generic_name) (qualified_name)] @supertype))
(struct_declaration name: (_) @name (base_list [(identifier) (generic_name) (qualified_name)] @supertype))
(interface_declaration name: (_) @name (base_list [(identifier) (generic_name) (qualified_name)] @supertype))
(record_declaration name: (_) @name (base_list [(identifier) (generic_name) (qualified_name)] @supertype))
(record_declaration name: (_) @name (base_list (primary_constructor_base_type type: (_) @supertype)))

; Uses

(invocation_expression function: (identifier) @call)
(invocation_expression function: (generic_name . (identifier) @call))
(invocation_expression function: (member_access_expression name: (identifier) @call))
(invocation_expression function: (member_access_expression name: (generic_name . (identifier) @call)))
(invocation_expression function: (conditional_access_expression (member_binding_expression name: (identifier) @call)))
(object_creation_expression type: (identifier) @call)
(object_creation_expression type: (generic_name . (identifier) @call))

(using_directive !name [(identifier) (qualified_name)] @import.path)
(using_directive name: (_) @import.name (qualified_name) @import.path)

; Symbols

(namespace_declaration name: (_) @name) @symbol.namespace
(file_scoped_namespace_declaration name: (_) @name) @symbol.namespace
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @symbol.field
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @symbol.property
(event_declaration name: (identifier) @name) @symbol.property
(property_declaration name: (identifier) @name) @symbol.property
(enum_member_declaration name: (identifier) @name) @symbol.enummember
(record_declaration (parameter_list (parameter name: (identifier) @name) @symbol.property))
(using_directive name: (identifier) @name) @symbol.type
(preproc_define (preproc_arg) @name) @symbol.macro
((attribute name: (identifier) @_attribute (attribute_argument_list . (attribute_argument (string_literal) @name))) @symbol.route
  (#match? @_attribute "^(Route|Http(Get|Post|Put|Patch|Delete|Head))$"))
((invocation_expression
  function: (member_access_expression name: (identifier) @_map)
  arguments: (argument_list . (argument (string_literal) @name) . (_))) @symbol.route
  (#any-of? @_map "MapGet" "MapPost" "MapPut" "MapPatch" "MapDelete"))
