; Components are used in JSX as functions are called elsewhere; lower-case elements are plain HTML.

(jsx_opening_element name: (identifier) @call (#match? @call "^[A-Z]"))
(jsx_self_closing_element name: (identifier) @call (#match? @call "^[A-Z]"))
(jsx_opening_element name: (member_expression property: (_) @call))
(jsx_self_closing_element name: (member_expression property: (_) @call))
