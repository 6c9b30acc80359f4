package chunkschema

// Governance is how a chunk is governed.
type Governance struct {
	Tags     []string `json:"compliance_tags"`
	Policy   string   `json:"lifespan_policy"`
	Rules    []any    `json:"retention_rules"`           // those that AURORA makes have none; policies decide
	Decision string   `json:"policy_decision,omitempty"` // of the lifespan policies when the record was made
}
