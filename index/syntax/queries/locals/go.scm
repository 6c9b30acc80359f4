; Scopes

(function_declaration) @scope.function
(method_declaration) @scope.function
(func_literal) @scope.function
(method_elem) @scope.function
(function_type) @scope.function
[(block) (if_statement) (for_statement) (expression_switch_statement) (type_switch_statement) (select_statement)] @scope
[(expression_case) (default_case) (type_case) (communication_case)] @scope
(type_spec name: (type_identifier) @owner) @scope.class

; Names

(function_declaration name: (identifier) @named)
(method_declaration
  receiver: (parameter_list (parameter_declaration
    name: (identifier) @local
    type: [
      (type_identifier) @type
      (pointer_type (type_identifier) @type)
      (generic_type type: (type_identifier) @type)
      (pointer_type (generic_type type: (type_identifier) @type))
    ])))
(parameter_declaration name: (identifier) @local type: [(type_identifier) (qualified_type)] @type)
(parameter_declaration name: (identifier) @local type: (pointer_type [(type_identifier) (qualified_type)] @type))
(parameter_declaration name: (identifier) @local)
(variadic_parameter_declaration name: (identifier) @local)
(type_parameter_declaration name: (identifier) @local)
(short_var_declaration left: (expression_list . (identifier) @local .)
  right: (expression_list . (composite_literal type: [(type_identifier) (qualified_type)] @type) .)) @after
(short_var_declaration left: (expression_list . (identifier) @local .)
  right: (expression_list . (unary_expression operator: "&" operand: (composite_literal type: [(type_identifier) (qualified_type)] @type)) .)) @after
(short_var_declaration left: (expression_list . (identifier) @local)
  right: (expression_list . (call_expression function: [(identifier) (selector_expression)] @maker) .)) @after
(short_var_declaration left: (expression_list (identifier) @local)) @after
(var_spec name: (identifier) @local type: [(type_identifier) (qualified_type)] @type) @after
(var_spec name: (identifier) @local type: (pointer_type [(type_identifier) (qualified_type)] @type)) @after
(var_spec name: (identifier) @local) @after
(const_spec name: (identifier) @local) @after
(type_spec name: (type_identifier) @named)
(type_alias name: (type_identifier) @local)
(range_clause left: (expression_list (identifier) @local) ":=") @after
(type_switch_statement alias: (expression_list (identifier) @local))
(receive_statement left: (expression_list (identifier) @local) ":=") @after
(import_spec name: (package_identifier) @import)
(import_spec !name path: (interpreted_string_literal) @import.path)

; Members

(field_declaration name: (field_identifier) @member type: [(type_identifier) (qualified_type)] @type)
(field_declaration name: (field_identifier) @member type: (pointer_type [(type_identifier) (qualified_type)] @type))
(field_declaration name: (field_identifier) @member)
(method_elem name: (field_identifier) @member)
(composite_literal type: (type_identifier) @type body: (literal_value (keyed_element . (literal_element (identifier) @key))))
(keyed_element . (literal_element (identifier) @key))
(label_name) @key
