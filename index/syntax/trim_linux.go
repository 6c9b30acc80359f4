package syntax

/*
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
static void trim(void) { malloc_trim(0); }
#else
static void trim(void) {}
#endif
*/
import "C"

// Trim gives memory that closed trees have left behind back to the system, as far as its C library can.
func Trim() { C.trim() }
