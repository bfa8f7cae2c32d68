import { subtle } from './web-crypto.js';

type NodeHash = (algorithm: 'sha256', data: string | Uint8Array, encoding: 'binary' | 'hex') => string;

/** Node's own, which no promise delays: a chain of a million rows has two million hashes. Undefined in browsers. */
const nodeHash = (
  globalThis as { process?: { getBuiltinModule?(name: string): { hash?: NodeHash } | undefined } }
).process?.getBuiltinModule?.('node:crypto')?.hash;

/** @internal `SHA-256(before ‖ SHA-256(text))` in lower-case hex. `before` has 32 bytes. */
export function linkHash(before: Uint8Array, text: string): string | Promise<string> {
  const link = new Uint8Array(64);
  link.set(before);
  if (nodeHash === undefined) return linkHashOfPlatform(link, text);
  const inner = nodeHash('sha256', text, 'binary');
  for (let at = 0; at < 32; at += 1) link[32 + at] = inner.charCodeAt(at);
  return nodeHash('sha256', link, 'hex');
}

async function linkHashOfPlatform(link: Uint8Array<ArrayBuffer>, text: string): Promise<string> {
  link.set(await digest(new TextEncoder().encode(text)), 32);
  return toHex(await digest(link));
}

const digest = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
  new Uint8Array(await subtle().digest('SHA-256', bytes));

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
