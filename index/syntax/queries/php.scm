; Definitions

(function_definition name: (_) @name body: (_) @body) @definition.function
(method_declaration name: (_) @name body: (_)? @body) @definition.function

(class_declaration name: (_) @name body: (_) @body) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.class
(trait_declaration name: (_) @name body: (_) @body) @definition.class
(enum_declaration name: (_) @name body: (_) @body) @definition.class

(attribute_list) @attribute
(comment) @comment

; Supertypes

(class_declaration name: (_) @name (base_clause (_) @supertype))
(class_declaration name: (_) @name (class_interface_clause (_) @supertype))
(class_declaration name: (_) @name body: (declaration_list (use_declaration [(name) (qualified_name)] @supertype)))
(interface_declaration name: (_) @name (base_clause (_) @supertype))
(enum_declaration name: (_) @name (class_interface_clause (_) @supertype))

; Uses

(function_call_expression function: (name) @call)
(function_call_expression function: (qualified_name (name) @call .))
(member_call_expression name: (name) @call)
(nullsafe_member_call_expression name: (name) @call)
(scoped_call_expression name: (name) @call)
(object_creation_expression . (name) @call)
(object_creation_expression . (qualified_name (name) @call .))

(namespace_use_clause . (_) @import.path)
(namespace_use_clause . (_) @import.path (namespace_aliasing_clause (name) @import.name))
(namespace_use_declaration
  (namespace_name) @import.path
  (namespace_use_group (namespace_use_group_clause (namespace_name) @import.name .)))
(namespace_use_declaration
  (namespace_name) @import.path
  (namespace_use_group (namespace_use_group_clause (namespace_aliasing_clause (name) @import.name))))
([(include_expression (string) @import.path)
  (include_once_expression (string) @import.path)
  (require_expression (string) @import.path)
  (require_once_expression (string) @import.path)
  (require_once_expression (binary_expression right: (string) @import.path))
  (require_expression (binary_expression right: (string) @import.path))])
