import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const MAX_IMAGE_BYTES = 32 * 1024;
const MAX_IMAGE_PIXELS = 1024;

export interface Image {
  readonly type: 'image/png' | 'image/webp';
  readonly bytes: Buffer;
  /** From the content, in the form of a UUID (version 8): another image has another id. */
  readonly id: string;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** All chunks must be intact, and nothing may follow the last one. */
function readPng(bytes: Buffer): Size | undefined {
  if (!bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return undefined;
  const names: string[] = [];
  let at = 8;
  while (names.at(-1) !== 'IEND') {
    if (at + 12 > bytes.length) return undefined;
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end))
      return undefined;
    names.push(bytes.toString('latin1', at + 4, at + 8));
    at = end + 4;
  }
  const isWhole = names[0] === 'IHDR' && bytes.readUInt32BE(8) === 13 && names.includes('IDAT');
  if (!isWhole || at !== bytes.length) return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** The size that a chunk of a WebP image has in its header; undefined for chunks without pixels. */
function sizeInWebp(name: string, data: Buffer): Size | undefined {
  if (name === 'VP8X' && data.length >= 10)
    return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
  if (name === 'VP8L' && data.length >= 5 && data[0] === 0x2f) {
    const bits = data.readUInt32LE(1);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (name === 'VP8 ' && data.length >= 10 && data.readUIntBE(3, 3) === 0x9d012a)
    return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
  return undefined;
}

/** Animations are not read. */
function readWebp(bytes: Buffer): Size | undefined {
  const isRiff = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  if (!isRiff || bytes.length < 20 || bytes.readUInt32LE(4) !== bytes.length - 8) return undefined;
  const sizes: Size[] = [];
  let hasPixels = false;
  let at = 12;
  while (at < bytes.length) {
    if (at + 8 > bytes.length) return undefined;
    const name = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length;
    if (end > bytes.length) return undefined;
    const size = sizeInWebp(name, bytes.subarray(at + 8, end));
    if (size) sizes.push(size);
    if (size && name !== 'VP8X') hasPixels = true;
    at = end + (length % 2);
  }
  if (!hasPixels || at !== bytes.length) return undefined;
  return {
    width: Math.max(...sizes.map(({ width }) => width)),
    height: Math.max(...sizes.map(({ height }) => height)),
  };
}

function idOf(bytes: Buffer): string {
  const digits = hash('sha256', bytes, 'hex');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

/** Recognizes an image by its content. Returns what is wrong with it otherwise. */
export function readImage(bytes: Buffer): Image | string {
  if (bytes.length > MAX_IMAGE_BYTES) return 'must not be larger than 32 KiB';
  const png = readPng(bytes);
  const size = png ?? readWebp(bytes);
  if (size === undefined) return 'must be an intact PNG or WebP image without animation';
  const isSmall = [size.width, size.height].every((pixels) => pixels >= 1 && pixels <= MAX_IMAGE_PIXELS);
  if (!isSmall) return `must be at most ${MAX_IMAGE_PIXELS} pixels wide and high`;
  return { type: png ? 'image/png' : 'image/webp', bytes, id: idOf(bytes) };
}
