import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import encodeQR from 'qr';

const WIDTH = 640;
const HEIGHT = 480;

/** Writes a video that shows a QR code, for Chromium's fake camera. Returns the file's path. */
export function writeQrVideo(text: string): string {
  const rows = encodeQR(text, 'raw', { border: 4 });
  const scale = Math.floor(HEIGHT / rows.length);
  const left = Math.floor((WIDTH - rows.length * scale) / 2);
  const luma = Buffer.alloc(WIDTH * HEIGHT, 255);
  for (let y = 0; y < rows.length * scale; y++)
    for (let x = 0; x < rows.length * scale; x++)
      if (rows[Math.floor(y / scale)]?.[Math.floor(x / scale)]) luma[y * WIDTH + left + x] = 0;
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, Buffer.alloc((WIDTH * HEIGHT) / 2, 128)]);
  const header = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`);
  const file = join(tmpdir(), `qr-${randomUUID()}.y4m`);
  writeFileSync(file, Buffer.concat([header, frame, frame]));
  return file;
}
