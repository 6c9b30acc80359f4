// Command write writes the documentation of the settings: write <page>.
package main
