package fit

// touched are the rows that a batch uses, each with the sides that use it, in the order of the sides. So every row has one
// owner, and its gradient is summed in one order.
type touched struct {
	rows   []uint32
	starts []int // of each row's uses, and the end
	uses   []use
	sizes  []int32 // by row of the table; zero between batches
}

// A use is a side that holds a token, and how often.
type use struct {
	side  uint32
	count uint8
}

func newTouched(rows int) *touched { return &touched{sizes: make([]int32, rows)} }

// gather files the tokens of sides.
func (t *touched) gather(sides int, side func(int) ([]uint32, []uint8)) {
	t.rows, t.starts = t.rows[:0], t.starts[:0]
	total := 0
	for i := range sides {
		rows, _ := side(i)
		total += len(rows)
		for _, row := range rows {
			if t.sizes[row] == 0 {
				t.rows = append(t.rows, row)
			}
			t.sizes[row]++
		}
	}
	at := int32(0)
	for _, row := range t.rows {
		t.starts = append(t.starts, int(at))
		at, t.sizes[row] = at+t.sizes[row], at // from now on where the row's next use goes
	}
	t.starts = append(t.starts, total)
	if cap(t.uses) < total {
		t.uses = make([]use, total)
	}
	t.uses = t.uses[:total]
	for i := range sides {
		rows, counts := side(i)
		for j, row := range rows {
			t.uses[t.sizes[row]] = use{uint32(i), counts[j]}
			t.sizes[row]++
		}
	}
	for _, row := range t.rows {
		t.sizes[row] = 0
	}
}
