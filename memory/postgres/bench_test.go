package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/postgres/postgrestest"
)

// BenchmarkPush has people write to one repository at once, so many records in a transaction. The server waits for the disk.
func BenchmarkPush(b *testing.B) {
	for _, test := range []struct{ people, rows int }{{1, 1}, {1, 100}, {20, 1}, {20, 100}} {
		b.Run(fmt.Sprintf("%d people, %d rows", test.people, test.rows), func(b *testing.B) {
			s := postgrestest.Start(b)
			s.Durable()
			roles := make([]string, test.people)
			for i := range roles {
				roles[i] = fmt.Sprintf("p%d", i)
			}
			s.Team("one", roles...)
			var people sync.WaitGroup
			var left atomic.Int64
			left.Store(int64(b.N))
			clients := make([]func(int64), len(roles))
			for i, role := range roles {
				c := dial(b, s, role)
				clients[i] = func(n int64) {
					changes := make([]memory.TeamChange, test.rows)
					for k := range changes {
						changes[k] = change(fmt.Sprintf("%s-%d-%d", role, n, k), fmt.Sprintf("Decision %d of %s: retries of the gateway use jitter since the outage %d", n, role, k), 0)
					}
					if _, err := c.Push(context.Background(), repository, role, changes); err != nil {
						b.Error(err)
					}
				}
			}
			before := s.CPU()
			b.ResetTimer()
			for _, push := range clients {
				people.Go(func() {
					for n := left.Add(-1); n >= 0; n = left.Add(-1) {
						push(n)
					}
				})
			}
			people.Wait()
			b.ReportMetric((s.CPU()-before).Seconds()*1e6/float64(b.N*test.rows), "server-µs/row")
		})
	}
}

// BenchmarkPull reads the feed of a repository, so many records at once.
func BenchmarkPull(b *testing.B) {
	s := postgrestest.Start(b)
	s.Team("one", "alice")
	s.Seed("one", repository, 100_000)
	c := dial(b, s, "alice")
	for _, rows := range []int{1, 15, 100} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			before := s.CPU()
			for n := range b.N {
				if list, _, _, err := c.Pull(b.Context(), repository, int64(n*rows%90_000), rows); err != nil || len(list) != rows {
					b.Fatal(len(list), err)
				}
			}
			b.ReportMetric((s.CPU()-before).Seconds()*1e6/float64(b.N), "server-µs/pull")
		})
	}
}
