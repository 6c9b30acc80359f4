// Package finding holds what a review says of a change: findings, each with the places that it is about, in their order.
package finding
