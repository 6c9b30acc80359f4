// Package agents has the commands around agents: listing and trusting them, entries in MCP clients, and unattended work.
package agents
