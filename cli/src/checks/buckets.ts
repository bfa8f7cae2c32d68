import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BUCKET_BYTES = 1024 * 1024;
const MAX_BUCKETS = 1024;
/** What is held of all buckets before it is written, outside of the heap that the garbage collector looks through. */
const HELD_BYTES = 16 * 1024 * 1024;

/** Lines by key, more of them than fit into memory: those of a key are in one of many files. Few lines stay in memory. */
export interface Buckets {
  /** The line has no line break. */
  add(key: string, line: string): void;
  /** The lines of each file in the order in which they were added. */
  all(): Generator<string[]>;
  close(): void;
}

/** For about so many bytes. */
export function openBuckets(bytes: number): Buckets {
  const count = Math.min(MAX_BUCKETS, Math.max(1, Math.ceil(bytes / BUCKET_BYTES)));
  const space = Math.floor(HELD_BYTES / count);
  const held = Array.from({ length: count }, () => ({ bytes: Buffer.allocUnsafe(space), length: 0 }));
  const written = new Set<number>();
  let folder: string | undefined;
  function append(at: number, what: Uint8Array | string): void {
    folder ??= mkdtempSync(join(tmpdir(), 'svc-records-'));
    appendFileSync(join(folder, String(at)), what, { mode: 0o600 });
    written.add(at);
  }
  return {
    add(key, line) {
      const at = placeOf(key, count);
      const bucket = held[at] as (typeof held)[number];
      // A character has at most three bytes.
      const most = 3 * line.length + 1;
      if (bucket.length + most > space) {
        append(at, bucket.bytes.subarray(0, bucket.length));
        bucket.length = 0;
      }
      if (most > space) append(at, `${line}\n`);
      else {
        bucket.length += bucket.bytes.write(line, bucket.length);
        bucket.bytes[bucket.length] = LINE_BREAK;
        bucket.length += 1;
      }
    },
    *all() {
      for (const [at, { bytes: rest, length }] of held.entries()) {
        const start = written.has(at) ? readFileSync(join(folder as string, String(at)), 'utf8') : '';
        yield (start + rest.toString('utf8', 0, length)).split('\n').slice(0, -1);
      }
    },
    close() {
      if (folder !== undefined) rmSync(folder, { recursive: true });
    },
  };
}

const LINE_BREAK = 10;

/** The last digits of an id are random. */
const placeOf = (key: string, count: number): number => Number.parseInt(key.slice(-6), 16) % count || 0;
