import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { beginStream, chunk, type HostileServer, hostileServer } from '../../test/hostile-server.js';
import { Svc } from '../sdk.js';

let server: HostileServer | undefined;
afterEach(() => server?.close());

const ROWS = '{"seq":1}\n{"seq":2}\n';
const HEAD = '{"environment":"test","head":{"seq":2}}\n';

/** The rows and the error of an export that arrives in these pieces. */
async function exportOf(
  pieces: readonly string[],
  signal?: AbortSignal,
): Promise<{ rows: unknown[]; error: unknown }> {
  server = await hostileServer((socket) => {
    beginStream(socket);
    for (const piece of pieces) chunk(socket, piece);
    socket.end();
  });
  const svc = new Svc({ baseUrl: server.url, apiKey: `svc_test_${'0'.repeat(48)}` });
  const rows: unknown[] = [];
  try {
    for await (const row of svc.audit.export({ signal })) rows.push(row);
    return { rows, error: undefined };
  } catch (error) {
    return { rows, error };
  }
}

describe('the export of an audit chain', () => {
  it('is complete once its head has arrived, even if the connection breaks afterwards', async () => {
    const { rows, error } = await exportOf([ROWS.slice(0, 5), ROWS.slice(5) + HEAD]);
    expect(error).toBeUndefined();
    expect(rows).toEqual([{ seq: 1 }, { seq: 2 }, { environment: 'test', head: { seq: 2 } }]);
  });

  it.each([
    ['after a row', [ROWS]],
    ['within its head', [ROWS, HEAD.slice(0, -1)]],
    ['before its first row', []],
    ['with a line that is not JSON', [ROWS, 'oops\n', HEAD]],
  ])('fails if it ends %s', async (_, pieces) => {
    const { rows, error } = await exportOf(pieces);
    expect(rows.length).toBeLessThan(3);
    expect(error).toMatchObject({ code: 'connection_cut', operation: 'GET /v1/audit/export' });
  });

  it('rejects with the reason of an aborted signal', async () => {
    const reason = new Error('enough');
    const { error } = await exportOf([ROWS], AbortSignal.abort(reason));
    expect(error).toBe(reason);
  });

  it('is verified while it is received, with an API key or in the console’s chosen environment', async () => {
    const vector = readFileSync(new URL('../../../docs/vectors/audit-export.jsonl', import.meta.url), 'utf8');
    const lines: string[] = [];
    server = await hostileServer((socket, { line }) => {
      lines.push(line);
      beginStream(socket);
      chunk(socket, vector);
      socket.end();
    });
    const byKey = (environment: string) =>
      new Svc({ baseUrl: server?.url ?? '', apiKey: `svc_${environment}_${'0'.repeat(48)}` }).audit;
    await expect(byKey('live').verify()).resolves.toMatchObject({ holds: true, rows: 6 });
    const other = { holds: false, fault: 'other_chain' };
    await expect(byKey('test').verify()).resolves.toMatchObject(other);
    const inConsole = new Svc({ baseUrl: server.url, consoleSession: true });
    await expect(inConsole.console.audit('live').verify()).resolves.toMatchObject({ holds: true, rows: 6 });
    await expect(inConsole.console.audit('test').verify()).resolves.toMatchObject(other);
    expect(lines).toEqual([
      'GET /v1/audit/export',
      'GET /v1/audit/export',
      'GET /v1/audit/export?environment=live',
      'GET /v1/audit/export?environment=test',
    ]);
  });
});
