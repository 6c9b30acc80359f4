package cryptvfs

import (
	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// The forms of the methods of an open file.
type (
	fileFunc    = func(tls *libc.TLS, file uintptr) int32
	ioFunc      = func(tls *libc.TLS, file, buf uintptr, n int32, off int64) int32
	sizeFunc    = func(tls *libc.TLS, file uintptr, size int64) int32
	flagFunc    = func(tls *libc.TLS, file uintptr, flag int32) int32
	resultFunc  = func(tls *libc.TLS, file, result uintptr) int32
	controlFunc = func(tls *libc.TLS, file uintptr, op int32, arg uintptr) int32
	shmMapFunc  = func(tls *libc.TLS, file uintptr, region, size, extend int32, result uintptr) int32
	shmLockFunc = func(tls *libc.TLS, file uintptr, offset, n, flags int32) int32
	voidFunc    = func(tls *libc.TLS, file uintptr)
)

// below is the open file of the VFS below.
type below struct {
	file    uintptr
	methods *sqlite3.Tsqlite3_io_methods
}

// belowOf returns what lies below an open file of SQLite's.
func belowOf(pFile uintptr) below {
	file := pFile + baseOffset
	return below{file, deref[sqlite3.Tsqlite3_io_methods](deref[sqlite3.Tsqlite3_file](file).FpMethods)}
}

func (b below) read(tls *libc.TLS, buf uintptr, n int, off int64) int32 {
	return fn[ioFunc](b.methods.FxRead)(tls, b.file, buf, int32(n), off)
}

func (b below) write(tls *libc.TLS, buf uintptr, n int, off int64) int32 {
	return fn[ioFunc](b.methods.FxWrite)(tls, b.file, buf, int32(n), off)
}

func (b below) close(tls *libc.TLS) int32 { return fn[fileFunc](b.methods.FxClose)(tls, b.file) }

// methods serve files whose VFS has shared memory, oldMethods those whose has none.
var methods, oldMethods sqlite3.Tsqlite3_io_methods

// initMethods fills the tables. Version 2 has no memory-mapped pages, which would show SQLite what is on disk.
func initMethods() {
	m := &methods
	m.FiVersion = 2
	setFunc(&m.FxClose, fileClose)
	setFunc(&m.FxRead, fileRead)
	setFunc(&m.FxWrite, fileWrite)
	setFunc(&m.FxTruncate, fileTruncate)
	setFunc(&m.FxSync, fileSync)
	setFunc(&m.FxFileSize, fileSize)
	setFunc(&m.FxLock, fileLock)
	setFunc(&m.FxUnlock, fileUnlock)
	setFunc(&m.FxCheckReservedLock, fileCheckReservedLock)
	setFunc(&m.FxFileControl, fileControl)
	setFunc(&m.FxSectorSize, fileSectorSize)
	setFunc(&m.FxDeviceCharacteristics, fileDeviceCharacteristics)
	setFunc(&m.FxShmMap, fileShmMap)
	setFunc(&m.FxShmLock, fileShmLock)
	setFunc(&m.FxShmBarrier, fileShmBarrier)
	setFunc(&m.FxShmUnmap, fileShmUnmap)
	oldMethods = methods
	oldMethods.FiVersion = 1
	oldMethods.FxShmMap, oldMethods.FxShmLock, oldMethods.FxShmBarrier, oldMethods.FxShmUnmap = 0, 0, 0, 0
}

func methodsFor(file uintptr) *sqlite3.Tsqlite3_io_methods {
	if m := deref[sqlite3.Tsqlite3_io_methods](deref[sqlite3.Tsqlite3_file](file).FpMethods); m.FiVersion >= 2 && m.FxShmMap != 0 {
		return &methods
	}
	return &oldMethods
}

func fileOf(pFile uintptr) *file { return files.get(deref[cFile](pFile).id) }

func fileClose(tls *libc.TLS, pFile uintptr) int32 {
	rc := belowOf(pFile).close(tls)
	c := deref[cFile](pFile)
	files.get(c.id).free(tls)
	files.remove(c.id)
	return rc
}

func fileRead(tls *libc.TLS, pFile, buf uintptr, n int32, off int64) int32 {
	return fileOf(pFile).read(tls, belowOf(pFile), bytesAt(buf, int(n)), off)
}

func fileWrite(tls *libc.TLS, pFile, buf uintptr, n int32, off int64) int32 {
	return fileOf(pFile).write(tls, belowOf(pFile), bytesAt(buf, int(n)), off)
}

func fileTruncate(tls *libc.TLS, pFile uintptr, size int64) int32 {
	b := belowOf(pFile)
	return fn[sizeFunc](b.methods.FxTruncate)(tls, b.file, end(fileOf(pFile).layout, size))
}

func fileSync(tls *libc.TLS, pFile uintptr, flags int32) int32 {
	b := belowOf(pFile)
	return fn[flagFunc](b.methods.FxSync)(tls, b.file, flags)
}

func fileSize(tls *libc.TLS, pFile, pSize uintptr) int32 {
	b, f := belowOf(pFile), fileOf(pFile)
	rc := fn[resultFunc](b.methods.FxFileSize)(tls, b.file, f.word)
	if rc == sqlite3.SQLITE_OK {
		*deref[int64](pSize) = f.layout.logical(*deref[int64](f.word))
	}
	return rc
}

func fileLock(tls *libc.TLS, pFile uintptr, level int32) int32 {
	b := belowOf(pFile)
	return fn[flagFunc](b.methods.FxLock)(tls, b.file, level)
}

func fileUnlock(tls *libc.TLS, pFile uintptr, level int32) int32 {
	b := belowOf(pFile)
	return fn[flagFunc](b.methods.FxUnlock)(tls, b.file, level)
}

func fileCheckReservedLock(tls *libc.TLS, pFile, pResult uintptr) int32 {
	b := belowOf(pFile)
	return fn[resultFunc](b.methods.FxCheckReservedLock)(tls, b.file, pResult)
}

// fileControl passes on everything but what names a size or a place in the file.
func fileControl(tls *libc.TLS, pFile uintptr, op int32, arg uintptr) int32 {
	switch op {
	case sqlite3.SQLITE_FCNTL_SIZE_HINT, sqlite3.SQLITE_FCNTL_CHUNK_SIZE, sqlite3.SQLITE_FCNTL_MMAP_SIZE,
		sqlite3.SQLITE_FCNTL_BEGIN_ATOMIC_WRITE:
		return sqlite3.SQLITE_NOTFOUND
	}
	b := belowOf(pFile)
	return fn[controlFunc](b.methods.FxFileControl)(tls, b.file, op, arg)
}

func fileSectorSize(tls *libc.TLS, pFile uintptr) int32 {
	b := belowOf(pFile)
	return fn[fileFunc](b.methods.FxSectorSize)(tls, b.file)
}

// fileDeviceCharacteristics promises what still holds for units: not that a page is written at once.
func fileDeviceCharacteristics(tls *libc.TLS, pFile uintptr) int32 {
	const kept = sqlite3.SQLITE_IOCAP_POWERSAFE_OVERWRITE | sqlite3.SQLITE_IOCAP_UNDELETABLE_WHEN_OPEN | sqlite3.SQLITE_IOCAP_IMMUTABLE
	b := belowOf(pFile)
	return fn[fileFunc](b.methods.FxDeviceCharacteristics)(tls, b.file) & kept
}

func fileShmMap(tls *libc.TLS, pFile uintptr, region, size, extend int32, pResult uintptr) int32 {
	b := belowOf(pFile)
	return fn[shmMapFunc](b.methods.FxShmMap)(tls, b.file, region, size, extend, pResult)
}

func fileShmLock(tls *libc.TLS, pFile uintptr, offset, n, flags int32) int32 {
	b := belowOf(pFile)
	return fn[shmLockFunc](b.methods.FxShmLock)(tls, b.file, offset, n, flags)
}

func fileShmBarrier(tls *libc.TLS, pFile uintptr) {
	b := belowOf(pFile)
	fn[voidFunc](b.methods.FxShmBarrier)(tls, b.file)
}

func fileShmUnmap(tls *libc.TLS, pFile uintptr, remove int32) int32 {
	b := belowOf(pFile)
	return fn[flagFunc](b.methods.FxShmUnmap)(tls, b.file, remove)
}
