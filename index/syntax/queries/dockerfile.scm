; A stage reaches from its FROM to the next one.

(from_instruction as: (_) @name) @heading.1
(from_instruction !as (image_spec) @name) @heading.1

(comment) @comment

; Symbols

(arg_instruction name: (_) @name) @symbol.variable
(env_pair name: (_) @name) @symbol.variable
