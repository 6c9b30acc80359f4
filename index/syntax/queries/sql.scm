; Every statement is a block; its label is what it does to which table.

(program (statement (create_table (keyword_create) @verb (object_reference) @name (column_definitions)? @body)) @definition.block)
(program (statement (create_view (keyword_create) @verb . (_)* (object_reference) @name (keyword_as) @body)) @definition.block)
(program (statement (create_materialized_view (keyword_create) @verb (object_reference) @name)) @definition.block)
(program (statement (create_function (keyword_create) @verb (keyword_function) . (object_reference) @name (function_body) @body)) @definition.block)
(program (statement (create_type (keyword_create) @verb (object_reference) @name)) @definition.block)
(program (statement (create_schema (keyword_create) @verb (identifier) @name)) @definition.block)
(program (statement (create_database (keyword_create) @verb (identifier) @name)) @definition.block)
(program (statement (create_sequence (keyword_create) @verb . (_)* (object_reference) @name)) @definition.block)
(program
  (statement (create_index (keyword_index) @verb (object_reference) @name
    (index_fields . (field column: (_) @member)))) @definition.block)
(program (statement (alter_table (keyword_alter) @verb (object_reference) @name)) @definition.block)
(program (statement (drop_table (keyword_drop) @verb (object_reference) @name)) @definition.block)
(program (statement (drop_view (keyword_drop) @verb (object_reference) @name)) @definition.block)
(program (statement (insert (keyword_insert) @verb (object_reference) @name)) @definition.block)
(program (statement (update (keyword_update) @verb . (relation (object_reference) @name))) @definition.block)
(program (statement . (delete (keyword_delete) @verb) (from (object_reference) @name)) @definition.block)
(program
  (statement . (select (keyword_select) @verb) (from (keyword_from) . (relation (object_reference) @name)))
  @definition.block)
(program (statement (keyword_with) @verb . (cte . (identifier) @name)) @definition.block)

(comment) @comment
(marginalia) @comment

; Uses

(invocation (object_reference) @call)

; Symbols

(create_table (object_reference name: (identifier) @name)) @symbol.table
(create_view (object_reference name: (identifier) @name)) @symbol.table
(create_materialized_view (object_reference name: (identifier) @name)) @symbol.table
(create_type (object_reference name: (identifier) @name)) @symbol.type
(create_function (object_reference name: (identifier) @name)) @symbol.method
(column_definition name: (identifier) @name) @symbol.column
(create_index column: (identifier) @name) @symbol.key
(enum_elements enum_element: (literal) @name @symbol.enummember)
