import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseUnavailableError, type RawDatabase } from '../../../src/db/db.js';
import type { Sql } from '../../../src/db/sql.js';
import { sharedDatabase } from '../database.js';
import { sessionHeaders, startService } from '../service.js';

/** Wraps the database to count the pages that an export reads, and to fail from page `failFrom` on. */
function watchPages(db: RawDatabase, page: RegExp) {
  const state = {
    pages: 0,
    failFrom: Number.POSITIVE_INFINITY,
    afterPage: async (): Promise<unknown> => undefined,
  };
  const query = async <R extends object>(statement: Sql) => {
    if (!page.test(statement.text)) return db.query<R>(statement);
    state.pages += 1;
    if (state.pages >= state.failFrom) throw new DatabaseUnavailableError('lost');
    const rows = await db.query<R>(statement);
    await state.afterPage();
    return rows;
  };
  return { state, db: { ...db, query } };
}

/** A listening service whose exports can be followed page by page. `page` matches the statement that reads one. */
export async function watchedExports(page: RegExp) {
  const { state, db } = watchPages((await sharedDatabase()).db, page);
  const service = await startService({ db });
  await service.app.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = service.app.http.server.address() as AddressInfo;
  return {
    service,
    state,
    /** The response to a download as soon as it begins. `token`: an API key, or a console token for a session. */
    async open(path: string, token: string): Promise<IncomingMessage> {
      const isKey = token.startsWith('svc_');
      const headers = isKey ? { authorization: `Bearer ${token}` } : await sessionHeaders(service.app, token);
      const sent = request({ port, path, headers });
      sent.end();
      const [reply] = await once(sent, 'response');
      return reply as IncomingMessage;
    },
  };
}

/** Reads a response to its end. Throws if it is aborted. */
export async function readAll(
  reply: IncomingMessage,
  onPiece: (piece: string) => void = () => {},
): Promise<void> {
  for await (const piece of reply) onPiece(String(piece));
}
