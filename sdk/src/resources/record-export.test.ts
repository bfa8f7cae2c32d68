import { afterEach, describe, expect, it } from 'vitest';
import { beginStream, chunk, type HostileServer, hostileServer } from '../../test/hostile-server.js';
import { Svc } from '../sdk.js';
import { exportRecords } from './record-export.js';

let server: HostileServer | undefined;
afterEach(() => server?.close());

const ROWS = '{"id":"a","n":1}\n{"id":"b","n":null}\n';
const endOf = (end: object) =>
  `${JSON.stringify({ kind: 'user', count: 2, headBefore: {}, headAfter: {}, ...end })}\n`;

/** The rows and the error of an export of users that arrives in these pieces, and what was requested. */
async function exportOf(pieces: readonly string[], signal?: AbortSignal) {
  const lines: string[] = [];
  server = await hostileServer((socket, { line }) => {
    lines.push(line);
    beginStream(socket);
    for (const piece of pieces) chunk(socket, piece);
    socket.end();
  });
  const svc = new Svc({ baseUrl: server.url, apiKey: `svc_test_${'0'.repeat(48)}` });
  const rows: unknown[] = [];
  try {
    for await (const row of exportRecords(svc, 'user', { signal })) rows.push(row);
    return { rows, lines, error: undefined };
  } catch (error) {
    return { rows, lines, error };
  }
}

describe('the export of records with their seals', () => {
  it('is complete once its last line has arrived, even if the connection breaks afterwards', async () => {
    const { rows, lines, error } = await exportOf([ROWS.slice(0, 5), ROWS.slice(5) + endOf({})]);
    expect(error).toBeUndefined();
    expect(rows).toMatchObject([{ id: 'a' }, { id: 'b' }, { kind: 'user', count: 2 }]);
    expect(lines).toEqual(['GET /v1/users/export?format=jsonl&include=seal']);
  });

  it('has pages of records that were sealed later after the records, which are counted apart', async () => {
    const page = '{"sealedLater":[["a","00"]]}\n';
    const { rows, error } = await exportOf([ROWS, page, endOf({ pages: 1 })]);
    expect(error).toBeUndefined();
    expect(rows).toMatchObject([{ id: 'a' }, { id: 'b' }, { sealedLater: [['a', '00']] }, { pages: 1 }]);
    expect((await exportOf([ROWS, endOf({ pages: 1 })])).error).toMatchObject({ code: 'connection_cut' });
    expect((await exportOf([ROWS, page, endOf({})])).error).toMatchObject({ code: 'connection_cut' });
  });

  it.each([
    ['ends after a record', [ROWS]],
    ['ends within its last line', [ROWS, endOf({}).slice(0, -1)]],
    ['ends before its first record', []],
    ['has a line that is not JSON', [ROWS, 'oops\n', endOf({})]],
    ['has fewer records than its last line says', [ROWS, endOf({ count: 3 })]],
    ['has the last line of another export', [ROWS, endOf({ kind: 'device' })]],
  ])('fails if it %s', async (_, pieces) => {
    const { rows, error } = await exportOf(pieces);
    expect(rows.length).toBeLessThan(3);
    expect(error).toMatchObject({ code: 'connection_cut', operation: 'GET /v1/users/export' });
  });

  it('rejects with the reason of an aborted signal', async () => {
    const reason = new Error('enough');
    const { error } = await exportOf([ROWS], AbortSignal.abort(reason));
    expect(error).toBe(reason);
  });
});
