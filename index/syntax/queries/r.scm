; Definitions

(binary_operator lhs: [(identifier) (string)] @name rhs: (function_definition body: (_) @body)) @definition.function
(binary_operator lhs: (identifier) @name rhs: (call function: (identifier) @_class arguments: (_) @body) (#any-of? @_class "R6Class" "setRefClass" "new_class")) @definition.class
(binary_operator
  lhs: (identifier) @name
  rhs: (call function: (namespace_operator rhs: (identifier) @_class) arguments: (_) @body)
  (#any-of? @_class "R6Class" "setRefClass" "new_class")) @definition.class
((call
  function: (_) @_class
  arguments: (arguments (argument value: (call
    function: (identifier) @_list
    arguments: (arguments (argument name: (identifier) @name value: (function_definition body: (_) @body)) @definition.function)))))
  (#any-of? @_class "R6Class" "R6::R6Class" "setRefClass")
  (#eq? @_list "list"))
((call function: (identifier) @_set arguments: (arguments . (argument value: (string) @name))) @definition.function
  (#any-of? @_set "setMethod" "setGeneric" "setReplaceMethod" "setValidity"))
((call function: (identifier) @_set arguments: (arguments . (argument value: (string) @name))) @definition.class
  (#eq? @_set "setClass"))

(comment) @comment

; Uses

(call function: (identifier) @call (#not-any-of? @call "library" "require" "source" "setMethod" "setGeneric" "setClass" "setRefClass" "R6Class"))
(call function: (namespace_operator rhs: (identifier) @call))
(call function: (extract_operator rhs: (identifier) @call))

((call function: (identifier) @_library arguments: (arguments . (argument value: [(identifier) (string)] @import.path)))
  (#any-of? @_library "library" "require" "requireNamespace" "loadNamespace" "source"))

; Symbols

(program (binary_operator lhs: (identifier) @name) @symbol.variable)
