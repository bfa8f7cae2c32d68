import { crc32, deflateSync } from 'node:zlib';

const MAX_COLORS = 24;
/** Rarer colors become the nearest one in the palette. */
const CANDIDATES = 600;

interface Image {
  readonly width: number;
  readonly height: number;
  /** Four bytes a pixel: red, green, blue, opacity. */
  readonly data: Buffer;
}

/** A PNG with a palette: a quarter of the size of one in full color, for pages that have few colors. */
export function encodePng({ width, height, data }: Image): Buffer {
  const counts = new Map<number, number>();
  const colorAt = (pixel: number) => data.readUInt32BE(pixel * 4) >>> 8;
  for (let pixel = 0; pixel < width * height; pixel++) {
    const color = colorAt(pixel);
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const palette = paletteOf(counts);
  const indexes = new Map([...counts.keys()].map((color) => [color, nearest(palette, color)]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let pixel = 0; pixel < width * height; pixel++)
    rows[Math.floor(pixel / width) + 1 + pixel] = indexes.get(colorAt(pixel)) as number;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits a pixel, with a palette.
  header.set([8, 3], 8);
  const colors = Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('PLTE', colors),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Frequent colors that differ most from each other, so that a small red point stays red next to many shades of gray. */
function paletteOf(counts: ReadonlyMap<number, number>): number[] {
  const frequent = [...counts].sort((left, right) => right[1] - left[1]).slice(0, CANDIDATES);
  const palette = [frequent[0]?.[0] ?? 0];
  const distances = frequent.map(([color]) => distance(color, palette[0] as number));
  while (palette.length < MAX_COLORS) {
    const scores = frequent.map(([, count], at) => count * (distances[at] as number));
    const best = scores.indexOf(Math.max(...scores));
    if (scores[best] === 0) break;
    const [color] = frequent[best] as [number, number];
    palette.push(color);
    for (const [at, [other]] of frequent.entries())
      distances[at] = Math.min(distances[at] as number, distance(color, other));
  }
  return palette;
}

const distance = (left: number, right: number): number =>
  Math.abs((left >> 16) - (right >> 16)) +
  Math.abs(((left >> 8) & 255) - ((right >> 8) & 255)) +
  Math.abs((left & 255) - (right & 255));

function nearest(palette: readonly number[], color: number): number {
  let best = 0;
  for (const [at, other] of palette.entries())
    if (distance(color, other) < distance(color, palette[best] as number)) best = at;
  return best;
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
