; Definitions

(message (message_name) @name (message_body) @body) @definition.class
(enum (enum_name) @name (enum_body) @body) @definition.class
(service (service_name) @name) @definition.class
(service (service_name) @name . "{" @body)
(rpc (rpc_name) @name) @definition.function
(rpc (rpc_name) @name "{" @body)

(comment) @comment

(import path: (_) @import.path)
