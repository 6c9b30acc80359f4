; Scopes

[(class name: (constant) @owner) (module name: (constant) @owner)] @scope.class
[(method) (singleton_method)] @scope.function
[(block) (do_block) (lambda)] @scope

; Names

(method_parameters (identifier) @local)
(method_parameters [(optional_parameter name: (identifier) @local) (keyword_parameter name: (identifier) @local) (splat_parameter name: (identifier) @local) (hash_splat_parameter name: (identifier) @local) (block_parameter name: (identifier) @local)])
(block_parameters (identifier) @local)
(block_parameters [(optional_parameter name: (identifier) @local) (keyword_parameter name: (identifier) @local) (splat_parameter name: (identifier) @local)])
(block_parameters (destructured_parameter (identifier) @local))
(lambda_parameters (identifier) @local)
(assignment left: (identifier) @hoisted)
(operator_assignment left: (identifier) @hoisted)
(left_assignment_list (identifier) @hoisted)
(for pattern: (identifier) @hoisted)
(exception_variable (identifier) @hoisted)
(assignment left: (constant) @local)

; Members

(pair key: (hash_key_symbol) @key)
(instance_variable) @key
(class_variable) @key
(global_variable) @key
(simple_symbol) @key
