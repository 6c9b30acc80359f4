package syntax

import "errors"

// addEmbedded adds what the embedded texts define and use, as scripts in a page. One that can't be parsed adds
// nothing.
func (r *rules) addEmbedded(c *collector) error {
	if r.embedded == nil {
		return nil
	}
	for _, span := range c.embedded {
		if err := r.embedded.addTo(c, span); err != nil {
			return err
		}
	}
	return nil
}

// addTo adds the matches in a span of the collector's text, which is written in l.
func (l *Language) addTo(c *collector, span Span) error {
	rules, err := l.compiled()
	if err != nil {
		return err
	}
	src := c.src[span.Start:span.End]
	tree, err := l.parse(nil, src)
	if errors.Is(err, ErrTooDeep) {
		return nil
	}
	if err != nil {
		return err
	}
	defer closeTree(tree)
	return rules.run(tree.RootNode(), src, func(m *match) {
		m.shift(span.Start)
		c.add(m)
	})
}

// shift moves every span of the match.
func (m *match) shift(by int) {
	for r := range numRoles {
		if m.has(r) {
			m.spans[r].Start += by
			m.spans[r].End += by
		}
	}
}
