; A top-level key that holds more than one line is a block, and so is every mapping one level below.

(document
  (block_node (block_mapping
    (block_mapping_pair key: (_) @name value: (block_node) @body) @definition.block)))

(document
  (block_node (block_mapping
    (block_mapping_pair
      value: (block_node (block_mapping
        (block_mapping_pair key: (_) @name value: (block_node (block_mapping)) @body) @definition.block))))))

(comment) @comment

; Symbols

(block_mapping_pair key: (flow_node) @name) @symbol.key
