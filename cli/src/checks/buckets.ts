import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BUCKET_BYTES = 16 * 1024 * 1024;
const MAX_BUCKETS = 256;
/** What is held of each bucket before it is written. */
const HELD_CHARACTERS = 64 * 1024;

/** Lines by key, more of them than fit into memory: those of a key are in one of many files. Few lines stay in memory. */
export interface Buckets {
  add(key: string, line: string): void;
  /** The lines of each file in the order in which they were added. */
  all(): Generator<string[]>;
  close(): void;
}

/** For about so many bytes. */
export function openBuckets(bytes: number): Buckets {
  const count = Math.min(MAX_BUCKETS, Math.max(1, Math.ceil(bytes / BUCKET_BYTES)));
  const held = Array.from({ length: count }, () => '');
  const written = new Set<number>();
  let folder: string | undefined;
  function pathOf(at: number): string {
    folder ??= mkdtempSync(join(tmpdir(), 'svc-records-'));
    return join(folder, String(at));
  }
  return {
    add(key, line) {
      const at = placeOf(key, count);
      held[at] += `${line}\n`;
      if ((held[at] as string).length < HELD_CHARACTERS || count === 1) return;
      appendFileSync(pathOf(at), held[at] as string, { mode: 0o600 });
      written.add(at);
      held[at] = '';
    },
    *all() {
      for (const [at, rest] of held.entries()) {
        const text = (written.has(at) ? readFileSync(pathOf(at), 'utf8') : '') + rest;
        yield text.split('\n').slice(0, -1);
      }
    },
    close() {
      if (folder !== undefined) rmSync(folder, { recursive: true });
    },
  };
}

/** The last digits of an id are random. */
const placeOf = (key: string, count: number): number => Number.parseInt(key.slice(-6), 16) % count || 0;
