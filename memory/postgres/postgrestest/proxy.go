package postgrestest

import (
	"io"
	"net"
	"net/url"
	"sync"
	"testing"

	"github.com/aurora-sidecar/aurora/memory/postgres"
)

// What a Proxy does with bytes.
const (
	Passes   = iota
	Swallows // as a network that has lost its way: nobody is told
	Holds    // until it passes again
	Refuses  // and has closed all connections
)

// A Proxy stands between clients and the server.
type Proxy struct {
	listener net.Listener

	mu    sync.Mutex
	moved *sync.Cond
	way   int
	open  []net.Conn
}

// Proxy starts one, which passes everything on.
func (s *Server) Proxy() *Proxy {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.t.Fatal(err)
	}
	p := &Proxy{listener: l}
	p.moved = sync.NewCond(&p.mu)
	s.t.Cleanup(func() {
		l.Close()
		p.Set(Refuses)
	})
	go p.accept(s.port)
	return p
}

func (p *Proxy) accept(port int) {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.DialTCP("tcp", nil, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
		p.mu.Lock()
		refuses := p.way == Refuses || err != nil
		if !refuses {
			p.open = append(p.open, client, server)
		}
		p.mu.Unlock()
		if refuses {
			client.Close()
			if err == nil {
				server.Close()
			}
			continue
		}
		go p.pass(client, server)
		go p.pass(server, client)
	}
}

func (p *Proxy) pass(to io.WriteCloser, from io.Reader) {
	defer to.Close()
	buffer := make([]byte, 4096)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		if p.swallows() {
			continue
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// swallows reports whether bytes get lost now. It waits while they are held.
func (p *Proxy) swallows() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.way == Holds {
		p.moved.Wait()
	}
	return p.way == Swallows
}

// Set changes what it does. Connections of which bytes are missing are closed when it passes again.
func (p *Proxy) Set(way int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if way == Refuses || way == Passes && p.way == Swallows {
		for _, c := range p.open {
			c.Close()
		}
		p.open = nil
	}
	p.way = way
	p.moved.Broadcast()
}

// Address is that of the server, through the proxy.
func (p *Proxy) Address(t testing.TB, a postgres.Address) postgres.Address {
	t.Helper()
	u, err := url.Parse(a.URL)
	if err != nil {
		t.Fatal(err)
	}
	u.Host = p.listener.Addr().String()
	a.URL = u.String()
	return a
}
