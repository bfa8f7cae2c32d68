import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pngOf, webpOf } from '../../test/support/images.js';
import { MAX_IMAGE_BYTES, readImage } from './image.js';

const wrong = (bytes: Buffer) => {
  const image = readImage(bytes);
  return typeof image === 'string' ? image : `accepted as ${image.type}`;
};
const NOT_AN_IMAGE = 'must be an intact PNG or WebP image without animation';

describe('an image', () => {
  it('is recognized by its content: PNG, and the three forms of WebP', () => {
    expect(readImage(pngOf(32, 16))).toMatchObject({ type: 'image/png' });
    for (const form of ['VP8 ', 'VP8L', 'VP8X'] as const)
      expect(readImage(webpOf(form, 1024, 1))).toMatchObject({ type: 'image/webp' });
  });

  it('is rejected if it is larger than 1024 pixels or 32 KiB, or has no pixels', () => {
    const TOO_LARGE = 'must be at most 1024 pixels wide and high';
    expect(wrong(pngOf(10_000, 1))).toBe(TOO_LARGE);
    expect(wrong(pngOf(1, 1_025))).toBe(TOO_LARGE);
    expect(wrong(pngOf(0, 1))).toBe(TOO_LARGE);
    for (const form of ['VP8 ', 'VP8L', 'VP8X'] as const)
      expect(wrong(webpOf(form, 1, 1_025))).toBe(TOO_LARGE);
    expect(readImage(pngOf(1, 1, MAX_IMAGE_BYTES))).toMatchObject({ type: 'image/png' });
    expect(wrong(pngOf(1, 1, MAX_IMAGE_BYTES + 1))).toBe('must not be larger than 32 KiB');
  });

  it('is rejected if it is of another type, cut off, altered or followed by anything', () => {
    const png = pngOf(8, 8);
    for (const text of [
      '',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      'GIF89a',
      'RIFF',
    ])
      expect(wrong(Buffer.from(text))).toBe(NOT_AN_IMAGE);
    for (const whole of [png, webpOf('VP8L', 8, 8), webpOf('VP8X', 8, 8)]) {
      for (let length = 0; length < whole.length; length += 1)
        expect(wrong(whole.subarray(0, length))).toBe(NOT_AN_IMAGE);
      expect(wrong(Buffer.concat([whole, Buffer.from('<script>')]))).toBe(NOT_AN_IMAGE);
    }
    const altered = Buffer.from(png);
    altered[20] = 9;
    expect(wrong(altered)).toBe(NOT_AN_IMAGE);
    expect(wrong(Buffer.concat([Buffer.from('<html>'), png]))).toBe(NOT_AN_IMAGE);
  });

  it('never fails on any bytes', () => {
    const heads = fc.constantFrom(
      pngOf(2, 2),
      webpOf('VP8 ', 2, 2),
      webpOf('VP8L', 2, 2),
      webpOf('VP8X', 2, 2),
    );
    fc.assert(
      fc.property(heads, fc.nat(60), fc.uint8Array({ maxLength: 60 }), (head, kept, rest) => {
        readImage(Buffer.concat([head.subarray(0, kept), rest]));
      }),
    );
  });

  it('has an id that is a UUID and depends on its content alone', () => {
    const idOf = (bytes: Buffer) => (readImage(bytes) as { id: string }).id;
    expect(idOf(pngOf(4, 4))).toBe(idOf(pngOf(4, 4)));
    expect(idOf(pngOf(4, 4))).not.toBe(idOf(pngOf(4, 5)));
    expect(idOf(pngOf(4, 4))).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
