// Package admin has the commands about AURORA itself: settings, checks, status, budget, reports, logs and development aids.
package admin
