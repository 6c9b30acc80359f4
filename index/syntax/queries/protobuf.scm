; Definitions

(message (message_name) @name (message_body) @body) @definition.class
(enum (enum_name) @name (enum_body) @body) @definition.class
(service (service_name) @name) @definition.class
(service (service_name) @name . "{" @body)
(rpc (rpc_name) @name) @definition.function
(rpc (rpc_name) @name "{" @body)

(comment) @comment

(import path: (_) @import.path)

; Symbols

(package (full_ident) @name) @symbol.namespace
(field (type) . (identifier) @name) @symbol.field
(map_field (type) . (identifier) @name) @symbol.field
(oneof_field (type) . (identifier) @name) @symbol.field
(oneof (identifier) @name) @symbol.field
(enum_field . (identifier) @name) @symbol.enummember
