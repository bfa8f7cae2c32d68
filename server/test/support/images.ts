import { crc32, deflateSync } from 'node:zlib';

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A gray PNG image that claims this size, filled up to that many bytes. */
export function pngOf(width: number, height: number, bytes?: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const pixels = Buffer.alloc(Math.min(4_096, (width + 1) * height));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const parts = [signature, chunk('IHDR', header), chunk('IDAT', deflateSync(pixels))];
  const end = chunk('IEND', Buffer.alloc(0));
  const taken = Buffer.concat([...parts, end]).length;
  const filler = bytes === undefined ? [] : [chunk('tEXt', Buffer.alloc(bytes - taken - 12, 'a'))];
  return Buffer.concat([...parts, ...filler, end]);
}

function riff(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

/** A WebP image that claims this size: lossy, lossless or extended. */
export function webpOf(form: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer {
  const chunks: Buffer[] = [];
  if (form === 'VP8X') {
    const data = Buffer.alloc(10);
    data.writeUIntLE(width - 1, 4, 3);
    data.writeUIntLE(height - 1, 7, 3);
    chunks.push(riff('VP8X', data));
  }
  if (form === 'VP8 ') {
    const data = Buffer.from('0000009d012a00000000', 'hex');
    data.writeUInt16LE(width, 6);
    data.writeUInt16LE(height, 8);
    chunks.push(riff('VP8 ', data));
  } else {
    const data = Buffer.alloc(5, 0x2f);
    data.writeUInt32LE((width - 1) | ((height - 1) << 14), 1);
    chunks.push(riff('VP8L', data));
  }
  return riff('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));
}
