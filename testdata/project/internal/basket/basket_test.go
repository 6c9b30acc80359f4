package basket

import "testing"

func TestTotalCentsOfADozenIsDiscounted(t *testing.T) {
	b := NewBasket("EUR")
	for range 12 {
		b.AddItem("apple", 100)
	}
	if got := b.TotalCents(); got != 1080 {
		t.Errorf("TotalCents() = %d, want 1080", got)
	}
}
