"""Checks a program for macOS where no macOS is: that it names the libraries of the system and nothing else, and that the
signature that the linker made is right for every page. Apple's processors run no program without one.
usage: check-macho.py PROGRAM"""
import hashlib
import struct
import sys

LC_ID = {0xC: "load library", 0x1D: "signature", 0x32: "build version"}
data = open(sys.argv[1], "rb").read()
magic, _, _, _, commands, _, _, _ = struct.unpack_from("<8I", data, 0)
if magic != 0xFEEDFACF:
    sys.exit("not a 64-bit Mach-O program")

at, libraries, signature, oldest = 32, [], None, None
for _ in range(commands):
    command, size = struct.unpack_from("<2I", data, at)
    kind = LC_ID.get(command & 0xFF)
    if kind == "load library":
        name = struct.unpack_from("<I", data, at + 8)[0]
        libraries.append(data[at + name : at + size].rstrip(b"\0").decode())
    elif kind == "signature":
        signature = struct.unpack_from("<2I", data, at + 8)
    elif kind == "build version":
        version = struct.unpack_from("<I", data, at + 12)[0]
        oldest = f"{version >> 16}.{version >> 8 & 255}"
    at += size

strange = [l for l in libraries if not l.startswith(("/usr/lib/", "/System/Library/Frameworks/"))]
if strange or not libraries:
    sys.exit(f"libraries that no Mac has: {strange or 'none named'}")
if signature is None:
    # The x86 linker may leave it out, and Intel processors do not ask for it.
    cpu = struct.unpack_from("<I", data, 4)[0]
    if cpu == 0x100000C:
        sys.exit("no signature")
    print(f"macOS {oldest} and later, unsigned")
    sys.exit()

blob = data[signature[0] : signature[0] + signature[1]]
start = struct.unpack_from(">I", blob, 16)[0]
_, _, _, _, hashes, _, _, slots, limit = struct.unpack_from(">9I", blob, start)
hash_size, _, _, page_bits = struct.unpack_from("4B", blob, start + 36)
for slot in range(slots):
    page = data[slot << page_bits : min((slot + 1) << page_bits, limit)]
    if hashlib.sha256(page).digest() != blob[start + hashes + hash_size * slot :][:hash_size]:
        sys.exit(f"the signature is wrong for page {slot}")
print(f"macOS {oldest} and later, signed ad hoc, {slots} pages right")
