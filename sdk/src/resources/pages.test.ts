import { afterEach, describe, expect, it } from 'vitest';
import { answer, type HostileServer, hostileServer } from '../../test/hostile-server.js';
import { Svc } from '../sdk.js';

let server: HostileServer | undefined;
afterEach(() => server?.close());

const PAGES: Readonly<Record<string, object>> = {
  '/v1/users?limit=2': { users: [{ id: 'a' }, { id: 'b' }], environment: 'test', nextCursor: 'x+/=' },
  '/v1/users?limit=2&cursor=x%2B%2F%3D': { users: [], environment: 'test', nextCursor: 'y' },
  '/v1/users?limit=2&cursor=y': { users: [{ id: 'c' }], environment: 'test', nextCursor: null },
};

async function client(pageOf: (path: string) => object | undefined): Promise<Svc> {
  server = await hostileServer((socket, { line }) => answer(socket, 200, pageOf(line.slice(4)) ?? {}));
  return new Svc({ baseUrl: server.url, apiKey: `svc_test_${'0'.repeat(48)}`, maxRetries: 0 });
}

describe('a list', () => {
  it('is walked through page by page, empty pages included, and fetched only as far as it is read', async () => {
    const svc = await client((path) => PAGES[path]);
    const list = svc.users.list({ limit: 2 });
    expect(server?.requests).toHaveLength(0);
    const ids: string[] = [];
    for await (const { id } of list) ids.push(id);
    expect(ids).toEqual(['a', 'b', 'c']);
    for await (const { id } of list) if (id === 'a') break;
    expect(server?.requests).toHaveLength(4);
  });

  it('shows its pages whole', async () => {
    const svc = await client((path) => PAGES[path]);
    await expect(svc.users.list({ limit: 2 }).first()).resolves.toMatchObject({ nextCursor: 'x+/=' });
    const cursors: (string | null)[] = [];
    for await (const { nextCursor } of svc.users.list({ limit: 2 }).pages()) cursors.push(nextCursor);
    expect(cursors).toEqual(['x+/=', 'y', null]);
  });

  it('gives its first page when awaited, with one request for each await', async () => {
    const svc = await client((path) => PAGES[path]);
    const list = svc.users.list({ limit: 2 });
    expect(await list).toMatchObject({ users: [{ id: 'a' }, { id: 'b' }], nextCursor: 'x+/=' });
    expect(server?.requests).toHaveLength(1);
    const { users } = await svc.users.list({ limit: 2, cursor: 'y' });
    expect(users).toEqual([{ id: 'c' }]);
    expect(server?.requests).toHaveLength(2);
    // After an await the same list can still be read as a whole.
    const ids: string[] = [];
    for await (const { id } of list) ids.push(id);
    expect(ids).toEqual(['a', 'b', 'c']);
  });

  it('rejects when awaited, with the request’s error or the reason of its signal', async () => {
    const svc = await client(() => ({ people: [] }));
    const failed = await svc.users.list().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({ code: 'not_this_service' });
    const reason = new Error('stopped');
    const stopped = (async () => await svc.users.list({}, { signal: AbortSignal.abort(reason) }))();
    await expect(stopped).rejects.toBe(reason);
  });

  it('without its collection is no empty list', async () => {
    const svc = await client(() => ({ people: [], environment: 'test', nextCursor: null }));
    const notThisService = {
      code: 'not_this_service',
      message: expect.stringContaining("answered GET /v1/users without 'users'"),
    };
    await expect(svc.users.list().first()).rejects.toMatchObject(notThisService);
    await expect(svc.users.list()[Symbol.asyncIterator]().next()).rejects.toMatchObject(notThisService);
  });

  it('that leads to itself ends with an error', async () => {
    const svc = await client(() => ({ users: [{ id: 'a' }], environment: 'test', nextCursor: 'x' }));
    const walk = async () => {
      for await (const _ of svc.users.list());
    };
    await expect(walk()).rejects.toMatchObject({ code: 'not_this_service' });
    expect(server?.requests).toHaveLength(2);
  });
});
