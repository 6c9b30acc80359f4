// Writes a PNG with fewer colours and better packed, for the documentation.
//   node scripts/shrink.mjs FROM TO
// The browser of the tests decodes and draws it; what is left is a PNG of a palette, written here.
import fs from 'node:fs';
import zlib from 'node:zlib';
import { launch } from '../test/browser.mjs';

const [from, to] = process.argv.slice(2);
const browser = await launch();
const page = await browser.newPage();
const { width, height, base64 } = await page.evaluate(async (source) => {
  const image = new Image();
  image.src = source;
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  let text = '';
  for (let i = 0; i < data.length; i += 0x8000) text += String.fromCharCode(...data.subarray(i, i + 0x8000));
  return { width: image.width, height: image.height, base64: btoa(text) };
}, `data:image/png;base64,${fs.readFileSync(from).toString('base64')}`);
await browser.close();
const pixels = Buffer.from(base64, 'base64');

// The most frequent colours, each rounded to 5 bits; the others take the nearest of them.
const LARGEST = 256;
const key = (i) => (pixels[i] >> 3) << 10 | (pixels[i + 1] >> 3) << 5 | pixels[i + 2] >> 3;
const sums = new Map();
for (let i = 0; i < pixels.length; i += 4) {
  const sum = sums.get(key(i)) ?? [0, 0, 0, 0];
  for (let c = 0; c < 3; c++) sum[c] += pixels[i + c];
  sum[3]++;
  sums.set(key(i), sum);
}
const ranked = [...sums.entries()].sort(([, a], [, b]) => b[3] - a[3]);
const palette = ranked.slice(0, LARGEST).map(([, [r, g, b, n]]) => [r / n, g / n, b / n].map(Math.round));
const distance = (a, b) => a.reduce((sum, value, c) => sum + (value - b[c]) ** 2, 0);
const nearest = new Map(ranked.map(([colour, [r, g, b, n]]) => {
  const mean = [r / n, g / n, b / n];
  return [colour, palette.reduce((best, candidate, i) => (distance(candidate, mean) < distance(palette[best], mean) ? i : best), 0)];
}));

const rows = Buffer.alloc(height * (width + 1));
for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rows[y * (width + 1) + x + 1] = nearest.get(key((y * width + x) * 4));

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4), sum = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(zlib.crc32(body));
  return Buffer.concat([length, body, sum]);
}

const head = Buffer.alloc(13);
head.writeUInt32BE(width, 0);
head.writeUInt32BE(height, 4);
head.set([8, 3, 0, 0, 0], 8); // 8 bits of a palette
fs.writeFileSync(to, Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), chunk('IHDR', head), chunk('PLTE', Buffer.from(palette.flat())),
  chunk('IDAT', zlib.deflateSync(rows, { level: 9, memLevel: 9 })), chunk('IEND', Buffer.alloc(0)),
]));
