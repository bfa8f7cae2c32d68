import { readFileSync } from 'node:fs';

export const WHITEPAPER_PATH = '/downloads/whitepaper.pdf';

/** Printed from docs/whitepaper.html. Read on the first request and then kept in memory. */
let bytes: Buffer | undefined;
export function readWhitepaper(): Buffer {
  bytes ??= readFileSync(new URL('../../../assets/whitepaper.pdf', import.meta.url));
  return bytes;
}
