; Rules

(stylesheet (rule_set (selectors) @name (block) @body) @definition.block)
(media_statement "@media" @verb . (_) @name (block) @body) @definition.block
(media_statement (block (rule_set (selectors) @name (block) @body) @definition.block))
(supports_statement "@supports" @verb . (_) @name (block) @body) @definition.block
(keyframes_statement _ @verb . (keyframes_name) @name (keyframe_block_list) @body) @definition.block
(stylesheet (at_rule (at_keyword) @name (block) @body) @definition.block)

(comment) @comment

(import_statement . (string_value) @import.path)
(import_statement . (call_expression (arguments . (string_value) @import.path)))

; Symbols

(rule_set (selectors (class_selector (class_name) @name))) @symbol.selector
(rule_set (selectors (id_selector (id_name) @name))) @symbol.selector
(rule_set (selectors (_ (class_selector (class_name) @name)))) @symbol.selector
(rule_set (selectors (_ (id_selector (id_name) @name)))) @symbol.selector
(keyframes_statement (keyframes_name) @name) @symbol.selector
(declaration (property_name) @name (#match? @name "^--")) @symbol.variable
