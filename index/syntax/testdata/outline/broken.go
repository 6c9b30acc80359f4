package broken

// A is whole.
func A() { B() }

func B( {
	if x {

// C is whole, too.
func C() int { return 1 }

type T struct { a int }
