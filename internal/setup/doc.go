// Package setup translates settings into the options of the parts that they configure: the rules of the index, the tuning
// of search, the models and their prices, the endpoint for vectors. It reads settings and, for keys, the environment.
//
// It never changes settings, opens no file but those that the settings name, and knows no command and no wire.
package setup
