import { afterEach, describe, expect, it } from 'vitest';
import {
  beginStream,
  chunk,
  errorBody,
  type HostileServer,
  hostileServer,
  respond,
} from '../../test/hostile-server.js';
import { Svc } from '../sdk.js';

let server: HostileServer | undefined;
afterEach(() => server?.close());

const USER = '019e1b2c-0000-7000-8000-000000000001';
const ROWS = ['{"id":"1","metadata":{}}', '{"id":"2","metadata":{"note":"ä}"}}'];
const DOCUMENT = `{"user":{"id":"${USER}"},"verifications":[${ROWS.join(',\n')}],"attendance":[]}\n`;

const clientOf = ({ url }: HostileServer) =>
  new Svc({ baseUrl: url, apiKey: `svc_test_${'0'.repeat(48)}`, maxRetries: 0 });

/** A client of a service that sends the document in these pieces, and then the end of the stream or a cut connection. */
async function exporting(pieces: readonly Uint8Array[], isEnded = true): Promise<Svc> {
  server = await hostileServer((socket) => {
    beginStream(socket);
    for (const piece of pieces) {
      socket.write(`${piece.length.toString(16)}\r\n`);
      socket.write(piece);
      socket.write('\r\n');
    }
    if (isEnded) chunk(socket, '');
    socket.end();
  });
  return clientOf(server);
}

const bytes = new TextEncoder().encode(DOCUMENT);

describe('the export of a user', () => {
  it('is the text of one JSON document, also if a character arrives in two pieces [GET /v1/users/:userId/export] [erasure/exporting-a-person]', async () => {
    const within = bytes.indexOf(0xc3) + 1;
    const svc = await exporting([bytes.slice(0, within), bytes.slice(within)]);
    let text = '';
    for await (const piece of svc.users.export(USER)) text += piece;
    expect(text).toBe(DOCUMENT);
    expect(server?.requests[0]?.line).toBe(`GET /v1/users/${USER}/export`);
  });

  it('can be read whole [erasure/exporting-a-person]', async () => {
    const svc = await exporting([bytes]);
    await expect(svc.users.readExport(USER)).resolves.toEqual(JSON.parse(DOCUMENT));
  });

  const lengths = Array.from({ length: bytes.length }, (_, length) => length);
  it('fails wherever it is cut off, whether or not the stream looks complete [erasure/exporting-a-person]', async () => {
    const cut = { code: 'connection_cut', operation: 'GET /v1/users/{userId}/export' };
    for (const isEnded of [true, false])
      for (const length of lengths.filter((at) => at % 13 === 0 || at > bytes.length - 4)) {
        const svc = await exporting(length === 0 ? [] : [bytes.slice(0, length)], isEnded);
        await expect(svc.users.readExport(USER), `${length} bytes`).rejects.toMatchObject(cut);
        await server?.close();
      }
    server = undefined;
  });

  it('fails if the connection breaks right after its last byte', async () => {
    const svc = await exporting([bytes], false);
    await expect(svc.users.readExport(USER)).rejects.toMatchObject({ code: 'connection_cut' });
  });

  it('rejects with the reason of an aborted signal', async () => {
    const svc = await exporting([bytes.slice(0, 20)]);
    const controller = new AbortController();
    const reason = new Error('enough');
    const reading = async () => {
      for await (const piece of svc.users.export(USER, { signal: controller.signal }))
        if (piece !== '') controller.abort(reason);
    };
    await expect(reading()).rejects.toBe(reason);
  });

  it('rejects with the error of the service [user_not_found]', async () => {
    server = await hostileServer((socket) => respond(socket, 404, errorBody('user_not_found')));
    await expect(clientOf(server).users.readExport(USER)).rejects.toMatchObject({ code: 'user_not_found' });
  });
});

describe('the erasure of a user', () => {
  it('sends the reason and what becomes of the text of events, and by default neither [erasure/erasing-a-person]', async () => {
    const reply = { user: { id: USER }, erasure: { id: USER, erasedAt: '2026-05-12T09:30:00.000Z' } };
    server = await hostileServer((socket) => respond(socket, 200, reply));
    const { users } = clientOf(server);
    await expect(users.erase(USER)).resolves.toEqual(reply);
    await users.erase(USER, { reason: 'retention', events: 'keep' });
    expect(server.requests.map(({ line, body }) => [line, JSON.parse(body)])).toEqual([
      [`POST /v1/users/${USER}/erase`, {}],
      [`POST /v1/users/${USER}/erase`, { reason: 'retention', events: 'keep' }],
    ]);
  });
});
