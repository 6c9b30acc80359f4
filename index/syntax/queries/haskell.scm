; Definitions. The equations of a function are one definition.

(function name: (_) @name match: (_) @body) @definition.equation
(function (infix operator: (_) @name) match: (_) @body) @definition.equation
(declarations (bind name: (variable) @name match: (_) @body) @definition.equation)

(data_type name: (name) @name constructors: (_) @body) @definition.class
(data_type name: (name) @name) @definition.class
(newtype name: (name) @name constructor: (_) @body) @definition.class
(type_synomym name: (name) @name type: (_) @body) @definition.class
(type_family name: (name) @name) @definition.class
(class name: (name) @name declarations: (_) @body) @definition.class
(class name: (name) @name) @definition.class
(instance name: (name) @name) @scope.class

(signature) @head
(haddock) @comment
(comment) @comment

; Supertypes

(instance name: (name) @supertype patterns: (type_patterns . (name) @name))
(instance name: (name) @supertype patterns: (type_patterns . (parens (apply . (name) @name))))

; Uses

(apply function: (variable) @call)
(apply function: (qualified id: (variable) @call))
(infix left_operand: (variable) @call operator: (operator) @_apply (#eq? @_apply "$"))

(import module: (module) @import.path)
(import module: (module) @import.path alias: (module) @import.all)
(import module: (module) @import.path names: (import_list name: (import_name (variable) @import.name)))
(import module: (module) @import.path names: (import_list name: (import_name (name) @import.name)))

; Symbols

(field name: (field_name (variable) @name)) @symbol.field
(data_constructor constructor: (_ name: (constructor) @name)) @symbol.enummember
(gadt_constructor name: (constructor) @name) @symbol.enummember
(class_declarations (signature name: (variable) @name) @symbol.method)
