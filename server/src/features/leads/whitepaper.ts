import { readFileSync } from 'node:fs';

export const WHITEPAPER_PATH = '/downloads/whitepaper.pdf';

/** Made by scripts/generate/make-whitepaper.mjs. Small, and read once, when first asked for. */
let bytes: Buffer | undefined;
export function readWhitepaper(): Buffer {
  bytes ??= readFileSync(new URL('../../../assets/whitepaper.pdf', import.meta.url));
  return bytes;
}
