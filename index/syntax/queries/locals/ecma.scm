; Scopes

[(function_declaration) (generator_function_declaration) (function_expression) (generator_function) (method_definition)] @scope.function
(arrow_function) @scope.arrow
[(statement_block) (for_statement) (for_in_statement) (switch_body) (catch_clause) (class_static_block)] @scope

; Names

(function_declaration name: (identifier) @named)
(generator_function_declaration name: (identifier) @named)
(function_expression name: (identifier) @local)
(arrow_function parameter: (identifier) @local)
(catch_clause parameter: (identifier) @local)
(lexical_declaration (variable_declarator name: (identifier) @local value: (new_expression constructor: (identifier) @type)))
(lexical_declaration (variable_declarator name: (identifier) @local value: (call_expression function: [(identifier) (member_expression)] @maker)))
(lexical_declaration (variable_declarator name: (identifier) @local))
(variable_declaration (variable_declarator name: (identifier) @hoisted))
(for_in_statement left: (identifier) @local)
(for_in_statement left: [(object_pattern (shorthand_property_identifier_pattern) @local) (array_pattern (identifier) @local)])
(object_pattern (shorthand_property_identifier_pattern) @local)
(object_pattern (object_assignment_pattern left: (shorthand_property_identifier_pattern) @local))
(object_pattern (pair_pattern value: (identifier) @local))
(object_pattern (pair_pattern value: (assignment_pattern left: (identifier) @local)))
(array_pattern (identifier) @local)
(array_pattern (assignment_pattern left: (identifier) @local))
(rest_pattern (identifier) @local)
(import_clause (identifier) @import)
(namespace_import (identifier) @import)
(import_specifier !alias name: (identifier) @import)
(import_specifier name: (identifier) @key alias: (identifier) @import)

; Members

(method_definition name: [(property_identifier) (private_property_identifier)] @member)
(pair key: (property_identifier) @key)
(pair_pattern key: (property_identifier) @key)
(statement_identifier) @key
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @key
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @key)
    (pair_pattern key: (property_identifier) @key)
  ])
  value: [(identifier) (member_expression) (this)] @source)

; Modules

(variable_declarator
  name: [
    (identifier) @import
    (object_pattern [
      (shorthand_property_identifier_pattern) @import
      (object_assignment_pattern left: (shorthand_property_identifier_pattern) @import)
      (pair_pattern value: (identifier) @import)
    ])
  ]
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @module .))
  (#eq? @_require "require"))
(variable_declarator
  name: (object_pattern (pair_pattern key: (property_identifier) @key))
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @module .))
  (#eq? @_require "require"))
(import_statement source: (string) @module)
(export_statement source: (string) @module)
(call_expression function: (import) arguments: (arguments . (string) @module .))
(import_statement
  (import_clause (named_imports (import_specifier name: (identifier) @key alias: (identifier))))
  source: (string) @module)
(export_statement (export_clause (export_specifier name: (identifier) @key)) source: (string) @module)
