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

; Symbols

(namespace_definition name: (namespace_name) @name) @symbol.namespace
(const_element . (name) @name) @symbol.constant
(property_declaration (property_element (variable_name (name) @name))) @symbol.property
(property_promotion_parameter name: (variable_name (name) @name)) @symbol.field
(enum_case name: (name) @name) @symbol.enummember
(expression_statement (assignment_expression left: (variable_name (name) @name))) @symbol.variable
(expression_statement
  (assignment_expression left: (member_access_expression object: (variable_name (name) @_this) name: (name) @name))
  (#eq? @_this "this")) @symbol.field
(function_call_expression
  function: (name) @_define
  arguments: (arguments . (argument (string) @name))
  (#eq? @_define "define")) @symbol.constant
((scoped_call_expression
  scope: (name) @_on name: (name) @_verb
  arguments: (arguments . (argument [(string) (encapsed_string)] @name) . (_))) @symbol.route
  (#eq? @_on "Route") (#any-of? @_verb "get" "post" "put" "patch" "delete" "options" "any"))
((member_call_expression
  object: (variable_name) @_on name: (name) @_verb
  arguments: (arguments . (argument [(string) (encapsed_string)] @name) . (_))) @symbol.route
  (#any-of? @_on "$app" "$router" "$group") (#any-of? @_verb "get" "post" "put" "patch" "delete" "options" "any") (#match? @name "^./"))
((attribute (name) @_attribute parameters: (arguments . (argument [(string) (encapsed_string)] @name))) @symbol.route
  (#eq? @_attribute "Route"))
