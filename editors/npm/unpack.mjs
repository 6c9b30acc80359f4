// Takes one file out of a .tar.gz or a .zip that was checked before.
import { gunzipSync, inflateRawSync } from 'node:zlib';

/** The bytes of the file of that name, in the one folder that the archive has at its top. Throws when it is not there. */
export function unpack(archive, name) {
  const found = archive.readUInt16LE(0) === 0x8b1f ? fromTar(gunzipSync(archive), name) : fromZip(archive, name);
  if (!found) throw new Error(`the archive has no ${name}`);
  return found;
}

const isNamed = (file, name) => file.split('/').length <= 2 && (file === name || file.endsWith(`/${name}`));

/** Blocks of 512 bytes: a header, then the file. */
function fromTar(tar, name) {
  for (let at = 0; at + 512 <= tar.length; ) {
    const text = (from, length) => tar.toString('utf8', at + from, at + from + length).replace(/\0.*$/s, '');
    const size = parseInt(text(124, 12), 8) || 0;
    if (['0', ''].includes(text(156, 1)) && isNamed(text(0, 100), name)) return tar.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return undefined;
}

/** The directory at the end of the archive says where each file is. */
function fromZip(zip, name) {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0) return undefined;
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [method, size, nameLength] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20), zip.readUInt16LE(at + 28)];
    if (isNamed(zip.toString('utf8', at + 46, at + 46 + nameLength), name)) {
      const header = zip.readUInt32LE(at + 42);
      const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
      const data = zip.subarray(start, start + size);
      return method === 8 ? inflateRawSync(data) : data;
    }
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return undefined;
}
