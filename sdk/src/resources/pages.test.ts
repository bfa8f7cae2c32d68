import { afterEach, describe, expect, it } from 'vitest';
import { type HostileServer, hostileServer, respond } from '../../test/hostile-server.js';
import { Svc } from '../sdk.js';

let server: HostileServer | undefined;
afterEach(() => server?.close());

const PAGES: Readonly<Record<string, object>> = {
  '/v1/users?limit=2': { users: [{ id: 'a' }, { id: 'b' }], environment: 'test', nextCursor: 'x+/=' },
  '/v1/users?limit=2&cursor=x%2B%2F%3D': { users: [], environment: 'test', nextCursor: 'y' },
  '/v1/users?limit=2&cursor=y': { users: [{ id: 'c' }], environment: 'test', nextCursor: null },
};

async function client(pageOf: (path: string) => object | undefined): Promise<Svc> {
  server = await hostileServer((socket, { line }) => respond(socket, 200, pageOf(line.slice(4)) ?? {}));
  return new Svc({ baseUrl: server.url, apiKey: `svc_test_${'0'.repeat(48)}`, maxRetries: 0 });
}

describe('a list', () => {
  it('is read page by page, including empty pages, and requests only the pages that are read', async () => {
    const svc = await client((path) => PAGES[path]);
    const list = svc.users.list({ limit: 2 });
    expect(server?.requests).toHaveLength(0);
    const ids: string[] = [];
    for await (const { id } of list) ids.push(id);
    expect(ids).toEqual(['a', 'b', 'c']);
    for await (const { id } of list) if (id === 'a') break;
    expect(server?.requests).toHaveLength(4);
  });

  it('gives access to whole pages', async () => {
    const svc = await client((path) => PAGES[path]);
    await expect(svc.users.list({ limit: 2 }).first()).resolves.toMatchObject({ nextCursor: 'x+/=' });
    const cursors: (string | null)[] = [];
    for await (const { nextCursor } of svc.users.list({ limit: 2 }).pages()) cursors.push(nextCursor);
    expect(cursors).toEqual(['x+/=', 'y', null]);
  });

  it('returns its first page when awaited, with one request for each await', async () => {
    const svc = await client((path) => PAGES[path]);
    const list = svc.users.list({ limit: 2 });
    expect(await list).toMatchObject({ users: [{ id: 'a' }, { id: 'b' }], nextCursor: 'x+/=' });
    expect(server?.requests).toHaveLength(1);
    const { users } = await svc.users.list({ limit: 2, cursor: 'y' });
    expect(users).toEqual([{ id: 'c' }]);
    expect(server?.requests).toHaveLength(2);
    // After an await, the same list can still be read from the start.
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

  it('fails if a page lacks its collection', async () => {
    const svc = await client(() => ({ people: [], environment: 'test', nextCursor: null }));
    const notThisService = {
      code: 'not_this_service',
      message: expect.stringContaining("to GET /v1/users has no 'users'"),
    };
    await expect(svc.users.list().first()).rejects.toMatchObject(notThisService);
    await expect(svc.users.list()[Symbol.asyncIterator]().next()).rejects.toMatchObject(notThisService);
  });

  it('fails if a page’s cursor leads to the same page', async () => {
    const svc = await client(() => ({ users: [{ id: 'a' }], environment: 'test', nextCursor: 'x' }));
    const walk = async () => {
      for await (const _ of svc.users.list());
    };
    await expect(walk()).rejects.toMatchObject({ code: 'not_this_service' });
    expect(server?.requests).toHaveLength(2);
  });
});
