// Package lifespan decides by policies how long records are kept and how they decay.
//
// It owns the policies, their conditions and the facts that these may ask about. A condition is an expression without
// loops, functions or assignments but contains_tag, so that it always ends. Package lifespan only decides: it never
// deletes anything.
package lifespan
