; Definitions

(method name: (_) @name body: (_)? @body) @definition.function
(singleton_method name: (_) @name body: (_)? @body) @definition.function

(class name: (_) @name) @definition.class
(class name: (_) @name body: (_) @body)
(module name: (_) @name) @definition.class
(module name: (_) @name body: (_) @body)
(assignment
  left: (constant) @name
  right: (call method: (identifier) @_make block: (_) @body)
  (#any-of? @_make "new" "define")) @definition.class

(comment) @comment

; Supertypes

(class name: (_) @name superclass: (superclass (_) @supertype))
(class
  name: (_) @name
  body: (body_statement
    (call method: (identifier) @_mix arguments: (argument_list [(constant) (scope_resolution)] @supertype)))
  (#any-of? @_mix "include" "extend" "prepend"))
(module
  name: (_) @name
  body: (body_statement
    (call method: (identifier) @_mix arguments: (argument_list [(constant) (scope_resolution)] @supertype)))
  (#any-of? @_mix "include" "extend" "prepend"))

; Uses

(call method: (identifier) @call)
(call method: (constant) @call)
(call receiver: [(constant) @call (scope_resolution name: (constant) @call)] method: (identifier) @_new (#eq? @_new "new"))
(call
  method: (identifier) @_describe
  arguments: (argument_list . [(constant) @call (scope_resolution name: (constant) @call)])
  block: (_)
  (#any-of? @_describe "describe" "context"))

(call
  method: (identifier) @_require
  arguments: (argument_list . (string (string_content) @import.path))
  (#any-of? @_require "require" "require_relative" "load"))

; Symbols

(assignment left: (constant) @name) @symbol.constant
(assignment left: (left_assignment_list (constant) @name)) @symbol.constant
(operator_assignment left: (constant) @name) @symbol.constant
(assignment left: (global_variable) @name) @symbol.variable
(assignment left: [(instance_variable) (class_variable)] @name) @symbol.field
(call
  method: (identifier) @_attr
  arguments: (argument_list (simple_symbol) @name)
  (#any-of? @_attr "attr_accessor" "attr_reader" "attr_writer" "attr" "cattr_accessor" "mattr_accessor")) @symbol.property
(alias name: (_) @name) @symbol.method
(call
  method: (identifier) @_alias
  arguments: (argument_list . (simple_symbol) @name)
  (#any-of? @_alias "alias_method" "define_method" "def_delegator" "scope")) @symbol.method
(call
  method: (identifier) @_test
  arguments: (argument_list . (string) @name)
  block: (_)
  (#any-of? @_test "describe" "context" "it" "specify" "test" "should" "feature" "scenario")) @symbol.test
((call method: (identifier) @_verb arguments: (argument_list . (string) @name) block: (_)) @symbol.route
  (#any-of? @_verb "get" "post" "put" "patch" "delete" "head" "options") (#match? @name "^./"))
((call method: (identifier) @_verb arguments: (argument_list . (string) @name . (pair key: (hash_key_symbol) @_to))) @symbol.route
  (#any-of? @_verb "get" "post" "put" "patch" "delete" "match") (#eq? @_to "to"))
