; Headings. A section reaches from its heading to the next one of the same or a higher rank.

(atx_heading (atx_h1_marker) heading_content: (_)? @name) @heading.1
(atx_heading (atx_h2_marker) heading_content: (_)? @name) @heading.2
(atx_heading (atx_h3_marker) heading_content: (_)? @name) @heading.3
(atx_heading (atx_h4_marker) heading_content: (_)? @name) @heading.4
(atx_heading (atx_h5_marker) heading_content: (_)? @name) @heading.5
(atx_heading (atx_h6_marker) heading_content: (_)? @name) @heading.6
(setext_heading heading_content: (_) @name (setext_h1_underline)) @heading.1
(setext_heading heading_content: (_) @name (setext_h2_underline)) @heading.2

; A heading in a list or a quotation divides nothing.

(list) @inset
(block_quote) @inset

; Never cut in two.

(fenced_code_block) @block
(pipe_table) @block

; Fenced code that says its language

(fenced_code_block (info_string (language) @name) (code_fence_content) @body) @definition.block
