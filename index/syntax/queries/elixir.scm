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
