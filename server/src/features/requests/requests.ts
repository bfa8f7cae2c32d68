import type { Static } from 'typebox';
import type { Database } from '../../db/db.js';
import type { Deps } from '../../http/deps.js';
import type { ScopedContext } from '../../http/route.js';
import { page } from '../../records/list.js';
import { iso } from '../../records/schema.js';
import type { ListQuery, RejectedQuery } from './requests.schema.js';
import * as store from './requests.store.js';

/** What changes when calls of an account are logged, as text. */
export const logStates = (db: Database, tenantIds: readonly string[]): Promise<Map<string, string>> =>
  store.logStates(db, tenantIds);

export const showRequest = (row: store.RequestRow) => ({
  timestamp: iso(row.called_at),
  method: row.method,
  path: row.endpoint,
  status: row.status,
  durationMs: row.duration_ms,
  keyId: row.key_id,
  requestId: row.key_id && row.id,
  error: row.error,
});

/** Reads the primary: a read replica may be behind in what no audit event covers. */
export async function listLog({
  read,
  scope,
  deps: { clock, cursors, meter },
  query,
}: Pick<ScopedContext, 'read' | 'scope'> & {
  deps: Pick<Deps, 'clock' | 'cursors' | 'meter'>;
  query: Static<typeof ListQuery>;
}) {
  await meter.flush(scope.tenantId);
  const { items, nextCursor } = await page(
    cursors,
    scope,
    'requests',
    query,
    (count, before) => store.listRequests(read, query, count, clock.now(), before),
    ({ id }) => id,
  );
  return { requests: items.map(showRequest), environment: scope.environment, nextCursor };
}

/** Calls that were rejected before their work began, by minute and error code. */
export async function listRejected({
  read,
  scope,
  deps: { clock, cursors, meter },
  query,
}: Pick<ScopedContext, 'read' | 'scope'> & {
  deps: Pick<Deps, 'clock' | 'cursors' | 'meter'>;
  query: Static<typeof RejectedQuery>;
}) {
  await meter.flush(scope.tenantId);
  const { items, nextCursor } = await page(
    cursors,
    scope,
    'rejected requests',
    query,
    (count, before) => store.listRejected(read, count, clock.now(), before),
    ({ minute, error }) => `${iso(minute)} ${error}`,
  );
  const rejected = items.map(({ minute, ...row }) => ({ minute: iso(minute), ...row }));
  return { rejected, environment: scope.environment, nextCursor };
}
