// Package workload decides when the work of requests begins, and knows what runs: so that many requests at once keep nobody
// who types waiting, and one that hangs is seen, told of and answered.
//
// It owns the turns of a process's requests and the list of those at work. It guarantees that as few work at a time as there
// are processors, those that a person waits for first; that no more wait than a bound; that a caller is answered when its
// request's time is over, whether the work ends or not; and that what it knows can be asked while anything else hangs. It
// never calls foreign code with its lock held.
package workload
