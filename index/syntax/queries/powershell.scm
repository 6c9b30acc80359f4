; Definitions; a scope, as in script:Name, is no part of a name

(function_statement (function_name) @name (script_block) @body (#strip! @name "^\\w+:")) @definition.function
(function_statement (function_name) @name . (comment) @doc (#strip! @name "^\\w+:"))
(class_statement . (simple_name) @name) @definition.class
(enum_statement . (simple_name) @name) @definition.class
(class_method_definition (simple_name) @name) @definition.method
(class_method_definition (simple_name) @name (script_block) @body)

(comment) @comment

; Uses

(command command_name: (command_name) @call (#not-match? @call "^(?i)(using|import-module)$"))
((command (command_invokation_operator) @_run command_name: (command_name_expr [(command_name) (path_command_name)] @call)) (#eq? @_run "&"))
(invokation_expression (member_name (simple_name) @call))
(class_statement . (simple_name) @name (simple_name) @supertype)

((command (command_invokation_operator) @_dot command_name: (command_name_expr [(command_name) (string_literal)] @import.path))
  (#eq? @_dot "."))
((command command_name: (command_name) @_import command_elements: (command_elements . (command_argument_sep) . (generic_token) @import.path))
  (#match? @_import "^(?i)import-module$"))
((command command_name: (command_name) @_import
  command_elements: (command_elements . (command_argument_sep) . (command_parameter) @_name . (command_argument_sep) . (generic_token) @import.path))
  (#match? @_import "^(?i)import-module$") (#match? @_name "^(?i)-name$"))
((command command_name: (command_name) @_using
  command_elements: (command_elements . (command_argument_sep) . (generic_token) @_module . (command_argument_sep) . (generic_token) @import.path))
  (#match? @_using "^(?i)using$") (#match? @_module "^(?i)module$"))

; Symbols

(class_property_definition (variable) @name (#strip! @name "^\\$")) @symbol.property
(enum_member (simple_name) @name) @symbol.enummember
(assignment_expression (left_assignment_expression (logical_expression (bitwise_expression (comparison_expression
  (additive_expression (multiplicative_expression (format_expression (range_expression (array_literal_expression
  (unary_expression (variable) @name)))))))))) (#strip! @name "^\\$(\\w+:)?")) @symbol.variable
((command command_name: (command_name) @_test
  command_elements: (command_elements . (command_argument_sep) . (array_literal_expression (unary_expression (string_literal) @name)))) @symbol.test
  (#match? @_test "^(?i)(describe|context|it)$"))
