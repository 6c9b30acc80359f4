; Definitions

(call
  target: (identifier) @_def
  (arguments
    . [
      (identifier) @name
      (call target: (identifier) @name)
      (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
    ])
  (do_block)? @body
  (#any-of? @_def "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate")) @definition.function

(call
  target: (identifier) @_def
  (arguments . (alias) @name)
  (do_block) @body
  (#any-of? @_def "defmodule" "defprotocol" "defimpl")) @definition.class

(call
  target: (identifier) @_def
  (arguments . (alias) @name)
  (do_block
    . (unary_operator operator: "@" operand: (call target: (identifier) @_doc (arguments (string) @doc))))
  (#eq? @_doc "moduledoc"))

((unary_operator operator: "@" operand: (call target: (identifier) @_doc (arguments [(string) (sigil)]))) @comment
  (#any-of? @_doc "doc" "typedoc"))
((unary_operator operator: "@" operand: (call target: (identifier) @_attribute)) @attribute
  (#any-of? @_attribute "impl" "deprecated" "since"))
((unary_operator operator: "@" operand: (call target: (identifier) @_attribute)) @head
  (#eq? @_attribute "spec"))
((unary_operator operator: "@" operand: (call target: (identifier) @_types)) @inset
  (#any-of? @_types "spec" "type" "typep" "opaque" "callback" "macrocallback"))
(comment) @comment

; Uses

(call
  target: (identifier) @call
  (#not-any-of? @call
    "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate" "defmodule" "defprotocol" "defimpl"
    "defstruct" "defexception" "use" "alias" "import" "require" "doc" "moduledoc" "typedoc" "spec" "type" "impl"))
(call target: (dot right: (identifier) @call))

(call
  target: (identifier) @_import
  (arguments . [(alias) (dot)] @import.path)
  (#any-of? @_import "use" "alias" "import" "require"))

; Symbols

((unary_operator operator: "@" operand: (call target: (identifier) @name (arguments))) @symbol.constant
  (#not-any-of? @name
    "doc" "moduledoc" "typedoc" "spec" "type" "typep" "opaque" "callback" "macrocallback" "impl" "behaviour" "derive"
    "deprecated" "since" "tag" "moduletag" "describetag" "dialyzer" "compile" "enforce_keys" "optional_callbacks"))
((unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_type
    (arguments (binary_operator left: [(identifier) @name (call target: (identifier) @name)])))) @symbol.type
  (#any-of? @_type "type" "typep" "opaque"))
((unary_operator
  operator: "@"
  operand: (call target: (identifier) @_callback (arguments (binary_operator left: (call target: (identifier) @name))))) @symbol.method
  (#any-of? @_callback "callback" "macrocallback"))
(call target: (identifier) @_struct (arguments (list (atom) @name @symbol.field)) (#eq? @_struct "defstruct"))
(call target: (identifier) @_struct (arguments (list (keywords (pair key: (keyword) @name) @symbol.field))) (#eq? @_struct "defstruct"))
(call target: (identifier) @_struct (arguments (keywords (pair key: (keyword) @name) @symbol.field)) (#eq? @_struct "defstruct"))
(call
  target: (identifier) @_test (arguments . (string) @name) (do_block)
  (#any-of? @_test "test" "describe")) @symbol.test
