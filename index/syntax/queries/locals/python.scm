; Scopes

(function_definition) @scope.function
(lambda) @scope.function
(class_definition name: (identifier) @owner) @scope.class
[(list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)] @scope

; Names

(function_definition name: (identifier) @named)
(class_definition name: (identifier) @named)
(parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(typed_parameter (identifier) @local type: (type (identifier) @type))
(typed_parameter [(identifier) @local (list_splat_pattern (identifier) @local) (dictionary_splat_pattern (identifier) @local)])
(default_parameter name: (identifier) @local)
(typed_default_parameter name: (identifier) @local type: (type (identifier) @type))
(typed_default_parameter name: (identifier) @local)
(parameters [(list_splat_pattern (identifier) @local) (dictionary_splat_pattern (identifier) @local)])
(lambda_parameters [(list_splat_pattern (identifier) @local) (dictionary_splat_pattern (identifier) @local)])
(assignment left: (identifier) @hoisted type: (type (identifier) @type))
(assignment left: (identifier) @hoisted right: (call function: [(identifier) (attribute)] @maker))
(assignment left: (identifier) @hoisted)
(assignment left: (pattern_list [(identifier) @hoisted (list_splat_pattern (identifier) @hoisted)]))
(assignment left: [(tuple_pattern (identifier) @hoisted) (list_pattern (identifier) @hoisted)])
(pattern_list (tuple_pattern (identifier) @hoisted))
(augmented_assignment left: (identifier) @hoisted)
(named_expression name: (identifier) @hoisted)
(for_statement left: (identifier) @hoisted)
(for_statement left: [(pattern_list (identifier) @hoisted) (tuple_pattern (identifier) @hoisted)])
(for_in_clause left: (identifier) @local)
(for_in_clause left: [(pattern_list (identifier) @local) (tuple_pattern (identifier) @local)])
(as_pattern alias: (as_pattern_target (identifier) @hoisted))
(as_pattern alias: (as_pattern_target (tuple (identifier) @hoisted)))
(case_pattern (dotted_name . (identifier) @hoisted .))
(global_statement (identifier) @outer)
(nonlocal_statement (identifier) @enclosing)
(import_statement name: (dotted_name . (identifier) @import))
(import_statement name: (aliased_import alias: (identifier) @import))
(import_from_statement name: (dotted_name (identifier) @import))
(import_from_statement name: (aliased_import name: (dotted_name (identifier) @key) alias: (identifier) @import))

; Members

(assignment left: (attribute object: (identifier) @_self attribute: (identifier) @member)
  right: (call function: (identifier) @maker) (#any-of? @_self "self" "cls"))
(assignment left: (attribute object: (identifier) @_self attribute: (identifier) @member) (#any-of? @_self "self" "cls"))
(class_definition body: (block (expression_statement (assignment left: (identifier) @member))))
(class_definition body: (block (function_definition name: (identifier) @member)))
(class_definition body: (block (decorated_definition (function_definition name: (identifier) @member))))
(keyword_argument name: (identifier) @key)
(import_from_statement module_name: (dotted_name (identifier) @key))
(import_from_statement module_name: (relative_import (dotted_name (identifier) @key)))
