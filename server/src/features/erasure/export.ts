import type { ConsolePrincipal, KeyPrincipal } from '../../http/principal.js';
import type { BaseContext, ScopedContext } from '../../http/route.js';
import type { Read } from '../../ledger/write.js';
import type { RecordListing, Total } from '../../records/list.js';
import { attendanceListing } from '../attendance/attendance.js';
import type { Person } from '../registrations/registrations.js';
import { requireUser, serializeUser } from '../users/users.js';
import { verificationListing } from '../verifications/verifications.js';
import { listSection, SECTION_NAMES, type SectionName } from './export.store.js';

const ROWS_AT_ONCE = 500;

/** At most so many rows after a position, each as text of JSON with its position. */
type Fetch = (after: string | undefined) => Promise<{ json: string; position: string }[]>;

type Query = { readonly userId: string; readonly sort: 'oldest' };

const eventsOf =
  <Row>(
    read: Read,
    query: Query,
    { fetchJson, rowOf, position }: RecordListing<Query, Row, unknown>,
  ): Fetch =>
  async (after) =>
    (await fetchJson(read, query, ROWS_AT_ONCE, after)).map(({ json }) => ({
      json,
      position: position(rowOf(json), query),
    }));

const sectionOf =
  (read: Read, person: Person, name: SectionName): Fetch =>
  async (after) =>
    (await listSection(read, name, person, after, ROWS_AT_ONCE)).map(({ id, json }) => ({
      json,
      position: id,
    }));

type Context = Pick<ScopedContext, 'scope' | 'read' | 'write'> &
  Pick<BaseContext, 'deps' | 'setHeader' | 'isHead'> & {
    readonly principal: Pick<KeyPrincipal | ConsolePrincipal, 'revalidate'>;
  };

/**
 * Everything about a person as one JSON document, a page of rows at a time, as fast as the client takes it. Each page has its own
 * snapshot, so records that are made during the export may be missing. The credential is checked again before each page, and that the
 * person was not erased in the meantime. A failure breaks the connection off, so that a part is not valid JSON.
 */
export async function exportPerson(context: Context, userId: string) {
  const { deps, scope, read, write, setHeader, principal, isHead } = context;
  const user = await requireUser(read, userId);
  const person = { userId, externalId: user.external_id };
  const query = { userId, sort: 'oldest' } as const;
  const counted = await Promise.all([
    verificationListing.count(read, query),
    attendanceListing.count(read, query),
  ]);
  if (!isHead)
    await write('tenant.exported', async (w) => {
      w.audit({ entityType: 'user', entityId: userId, metadata: { records: 'person', ...sumOf(counted) } });
    });
  setHeader('content-disposition', `attachment; filename="user-${user.id}.json"`);
  setHeader('cache-control', 'no-store');
  const requireUnchanged = async () => {
    const [allowed, current] = await Promise.all([
      read.query(principal.revalidate(deps.clock.now())),
      requireUser(read, userId),
    ]);
    if (allowed.length === 0) throw new Error('The credential of this export has ended');
    if (user.erased_at === null && current.erased_at !== null)
      throw new Error('The person of this export was erased');
  };
  const sections: [string, Fetch][] = [
    ...SECTION_NAMES.map((name): [string, Fetch] => [name, sectionOf(read, person, name)]),
    ['verifications', eventsOf(read, query, verificationListing)],
    ['attendance', eventsOf(read, query, attendanceListing)],
  ];
  const head = {
    exportedAt: new Date(deps.clock.now()).toISOString(),
    environment: scope.environment,
    user: serializeUser(user),
  };
  async function* pieces(): AsyncGenerator<string> {
    yield JSON.stringify(head).slice(0, -1);
    for (const [name, fetch] of sections) yield* sectionText(name, fetch, requireUnchanged);
    yield '}\n';
  }
  return pieces();
}

const sumOf = (counted: readonly Total[]) => ({
  count: counted.reduce((sum, { total }) => sum + total, 0),
  countIsExact: counted.every(({ totalIsExact }) => totalIsExact),
});

/** A list in the document. */
async function* sectionText(
  name: string,
  fetch: Fetch,
  requireUnchanged: () => Promise<void>,
): AsyncGenerator<string> {
  yield `,${JSON.stringify(name)}:[`;
  let after: string | undefined;
  do {
    const rows = await fetch(after);
    // After the rows were read, so that none of an erased person is sent.
    await requireUnchanged();
    const texts = rows.map(({ json }) => json).join(',\n');
    yield after === undefined || texts === '' ? texts : `,\n${texts}`;
    after = rows.length === ROWS_AT_ONCE ? rows.at(-1)?.position : undefined;
  } while (after !== undefined);
  yield ']';
}
