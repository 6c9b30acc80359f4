// Command vocabulary writes the tokens of cl100k_base into the file that package tokens embeds.
package main
