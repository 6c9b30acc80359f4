package codeintel

import "github.com/aurora-sidecar/aurora/engine/codebase"

// builtins are names that a language has itself, by its family. A definition of the name hides them, and they are meant when it is gone.
var builtins = map[string]map[string]bool{
	"go": codebase.WordSet(`any append bool byte cap clear close comparable complex complex128 complex64 copy delete error false float32 float64 imag
		int int16 int32 int64 int8 iota len make max min new nil panic print println real recover rune string true uint uint16 uint32 uint64 uint8 uintptr`),
	"python": codebase.WordSet(`abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex delattr dict
		dir divmod enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter
		len list locals map max memoryview min next object oct open ord pow print property range repr reversed round set setattr slice sorted
		staticmethod str sum super tuple type vars zip ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup
		BlockingIOError BrokenPipeError BufferError ConnectionError ConnectionResetError EOFError EnvironmentError Exception ExceptionGroup
		FileExistsError FileNotFoundError IOError ImportError IndexError InterruptedError KeyError KeyboardInterrupt LookupError
		ModuleNotFoundError NotImplementedError OSError OverflowError PermissionError RecursionError ReferenceError ResourceWarning RuntimeError
		StopAsyncIteration StopIteration SyntaxError SystemExit TimeoutError TypeError UnicodeError ValueError Warning ZeroDivisionError`),
	"javascript": codebase.WordSet(`AbortController AbortSignal Array ArrayBuffer Awaited BigInt Blob Boolean Buffer Capitalize CustomEvent DOMException
		Date Error Event EventTarget Exclude Extract File FormData Function Headers Infinity InstanceType Iterable Iterator JSON Map Math
		NaN NonNullable Number Object Omit Parameters Partial Pick Promise PromiseLike Proxy RangeError ReadableStream Readonly Record Reflect RegExp
		Request Required Response ReturnType Set String Symbol SyntaxError TextDecoder TextEncoder TypeError URL URLSearchParams Uint8Array
		WeakMap WeakRef WeakSet WebSocket atob btoa clearInterval clearTimeout console crypto decodeURIComponent encodeURIComponent exports fetch
		global globalThis isFinite isNaN module parseFloat parseInt performance process queueMicrotask require setImmediate setInterval setTimeout
		structuredClone undefined`),
}
