; Elements that have an identifier, and the scripts.

((element
  (start_tag
    (attribute
      (attribute_name) @_id
      [(quoted_attribute_value (attribute_value) @name) (attribute_value) @name]))) @definition.block
  (#eq? @_id "id"))

(script_element (raw_text) @embedded)

(comment) @comment
