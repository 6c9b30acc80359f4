// Package reference writes docs/protocol.md and httpapi/openapi.json from the operations and the wire types of package api,
// so that they can't say anything else than the code does. It reads the types with their comments from the source.
package reference
