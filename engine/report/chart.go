package report

import (
	"fmt"
	"math"
	"strings"
)

// Sizes of a chart in the units of its drawing.
const (
	chartWidth  = 640.0
	chartHeight = 220.0
	marginLeft  = 56.0
	marginTop   = 12.0
	marginRight = 10.0
	marginBelow = 34.0
	maxLabels   = 8.0 // below the horizontal axis
)

// A chart is a drawing of bars or lines over steps of time. A chart library would draw it, too, but all of them need
// scripts or fonts that a page would have to fetch or carry.
type chart struct {
	Title string
	Note  string
	Empty string // why there is nothing to draw; "" when there is

	Bars   []bar
	Lines  []line
	Ticks  []tick  // of the vertical axis
	Labels []label // of the horizontal one
	Zero   float64 // height of the zero line
	Legend []legend

	Width, Height, Left, Right float64
}

type bar struct {
	X, Y, Width, Height float64
	Class, Tip          string
}

type line struct {
	Points, Class string
	Dots          []dot
}

type dot struct {
	X, Y float64
	Tip  string
}

type tick struct {
	Y    float64
	Text string
}

type label struct {
	X    float64
	Text string
}

type legend struct{ Class, Text string }

// A series is the values of one thing, one for each step; NaN where there is none.
type series struct {
	name, class string
	values      []float64
}

// A plot is what a chart is drawn of.
type plot struct {
	title, note, empty string
	steps              []string
	series             []series
	lines, stacked     bool
	format             func(float64) string
	least, most        float64 // the vertical axis holds them in any case
}

// draw lays a plot out.
func (p plot) draw() chart {
	c := chart{Title: p.title, Note: p.note, Width: chartWidth, Height: chartHeight, Left: marginLeft, Right: chartWidth - marginRight}
	low, high, any := p.bounds()
	if !any || len(p.steps) == 0 {
		c.Empty = p.empty
		return c
	}
	top, step := niceTop(high)
	bottom := 0.0
	if low < 0 {
		bottom = -math.Ceil(-low/step) * step
	}
	y := func(v float64) float64 {
		return marginTop + (top-v)/(top-bottom)*(chartHeight-marginTop-marginBelow)
	}
	c.Zero = y(0)
	for v := bottom; v <= top+step/2; v += step {
		c.Ticks = append(c.Ticks, tick{y(v), p.format(v)})
	}
	slot := (chartWidth - marginLeft - marginRight) / float64(len(p.steps))
	p.label(&c, slot)
	floor := make([]float64, len(p.steps)) // of the next bar of a stack
	for i, s := range p.series {
		if len(p.series) > 1 {
			c.Legend = append(c.Legend, legend{s.class, s.name})
		}
		switch {
		case p.lines:
			c.Lines = append(c.Lines, p.line(s, slot, y))
		case p.stacked:
			c.Bars = append(c.Bars, p.bars(0, 1, s, floor, slot, y)...)
			for j, v := range s.values {
				floor[j] += v
			}
		default:
			c.Bars = append(c.Bars, p.bars(i, len(p.series), s, floor, slot, y)...)
		}
	}
	return c
}

func (p plot) bounds() (low, high float64, any bool) {
	low, high = p.least, p.most
	heights := make([]float64, len(p.steps))
	for _, s := range p.series {
		for i, v := range s.values {
			if math.IsNaN(v) {
				continue
			}
			if p.stacked {
				heights[i] += v
				high = max(high, heights[i])
			}
			low, high, any = min(low, v), max(high, v), any || v != 0 || p.lines
		}
	}
	return low, high, any
}

func (p plot) label(c *chart, slot float64) {
	every := int(math.Ceil(float64(len(p.steps)) / maxLabels))
	for i := 0; i < len(p.steps); i += every {
		c.Labels = append(c.Labels, label{marginLeft + (float64(i)+0.5)*slot, p.steps[i]})
	}
}

// bars draws the bars of a series, which is the one at a place among so many, each on its floor.
func (p plot) bars(at, among int, s series, floor []float64, slot float64, y func(float64) float64) []bar {
	var list []bar
	width := slot * 0.8 / float64(among)
	for i, v := range s.values {
		if v == 0 || math.IsNaN(v) {
			continue
		}
		from, to := y(floor[i]+max(v, 0)), y(floor[i]+min(v, 0))
		list = append(list, bar{
			X: marginLeft + float64(i)*slot + slot*0.1 + float64(at)*width, Y: from, Width: max(width-1, 0.5), Height: max(to-from, 0.5), Class: s.class,
			Tip: fmt.Sprintf("%s: %s %s", p.steps[i], p.format(v), s.name),
		})
	}
	return list
}

func (p plot) line(s series, slot float64, y func(float64) float64) line {
	l := line{Class: s.class}
	var points []string
	for i, v := range s.values {
		if math.IsNaN(v) {
			continue
		}
		d := dot{marginLeft + (float64(i)+0.5)*slot, y(v), fmt.Sprintf("%s: %s %s", p.steps[i], p.format(v), s.name)}
		points, l.Dots = append(points, fmt.Sprintf("%.1f,%.1f", d.X, d.Y)), append(l.Dots, d)
	}
	l.Points = strings.Join(points, " ")
	return l
}

// niceTop is a round number at or above high, and the distance of its ticks.
func niceTop(high float64) (top, step float64) {
	if high <= 0 {
		return 1, 0.5
	}
	raw := high / 4
	scale := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 2.5, 5, 10} {
		if step = m * scale; step >= raw*0.999 {
			break
		}
	}
	return math.Ceil(high/step*0.999) * step, step
}
