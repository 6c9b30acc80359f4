package memory

import (
	"fmt"
	"math"
)

// Weight returns what one use adds to a record's activation, in full uses. Only what a person did counts, the more
// the more it says that the record was right; being told that it was wrong outweighs a use of any kind. value is the
// rating of Rated, -1..1.
func (u Use) Weight(value float64) (float64, error) {
	switch u {
	case Edited, Accepted, Created:
		return 1, nil
	case Copied:
		return 0.8, nil
	case Opened:
		return 0.5, nil
	case Rejected:
		return -rejection, nil
	case Rated:
		return ratingWeight(value)
	}
	return 0, fmt.Errorf("%w: unknown use %q; one of opened, accepted, copied, edited, rejected, rated", ErrInvalid, u)
}

// rejection is how many full uses a rejection undoes.
const rejection = 1.5

func ratingWeight(value float64) (float64, error) {
	if math.IsNaN(value) || value < -1 || value > 1 {
		return 0, fmt.Errorf("%w: a rating lies between -1 and 1 (got %v)", ErrInvalid, value)
	}
	if value < 0 {
		return value * rejection, nil
	}
	return value, nil
}
