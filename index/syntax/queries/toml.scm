; Tables

(table . (_) @name) @definition.block
(table . (_) @name . (pair) @body)
(table_array_element . (_) @name) @definition.block
(table_array_element . (_) @name . (pair) @body)

(comment) @comment
