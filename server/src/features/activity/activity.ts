import type { Static } from 'typebox';
import { fail, invalid } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { ConsolePrincipal, KeyPrincipal } from '../../http/principal.js';
import type { ScopedContext } from '../../http/route.js';
import type { Read } from '../../ledger/write.js';
import type { AuditAction } from '../../model/audit-actions.js';
import type { ApiScope } from '../../model/scopes.js';
import { type AnySource, mergedPage, type Source } from '../../records/merged.js';
import { iso } from '../../records/schema.js';
import { approvalListing } from '../approvals/approvals.js';
import { attendanceListing, serializeAttendance } from '../attendance/attendance.js';
import { eventsAbout } from '../audit/audit.js';
import { pairingListing } from '../pairing/pairing.js';
import { mayReadAttendance, requireAttendanceReader } from '../sites/sites.js';
import { serializeVerification, verificationListing, withNames } from '../verifications/verifications.js';
import type { ActivityQuery, KINDS } from './activity.schema.js';

type Query = Static<typeof ActivityQuery>;
type Kind = (typeof KINDS)[number];

/** A record as the list of its kind shows it. */
interface Item {
  readonly kind: Kind;
  readonly id: string;
  readonly at: string;
  readonly record: object;
}

interface Context extends Pick<ScopedContext, 'scope'> {
  readonly deps: Pick<
    Deps,
    'bus' | 'clock' | 'config' | 'cursors' | 'history' | 'ids' | 'keyring' | 'random'
  >;
  readonly principal: KeyPrincipal | ConsolePrincipal;
  readonly query: Query;
}

/** A list of events is in the order of their times only within a range, so there always is one. */
const BEGINNING = '1970-01-01T00:00:00.000Z';

/** What happened to a person beside what the other lists say. */
const OF_PERSON: readonly AuditAction[] = [
  'user.updated',
  'registration.started',
  'registration.abandoned',
  'registration.expired',
  'identity.addition_opened',
  'identity.addition_rejected',
  'identity.rotated',
  'identity.recovery_opened',
  'identity.recovery_contested',
  'identity.recovery_confirmed',
  'identity.recovery_cancelled',
  'identity.recovery_completed',
  'tenant.exported',
  'approval.approved_by',
  'approval.declined_by',
];

type Listing<Row> = Omit<Source<Row, Item>, 'name' | 'show'> & {
  showNames(read: Read, rows: readonly Row[]): Promise<readonly { readonly id: string }[]>;
};

/** The rows of a listing as items of the activity. */
const sourceOf = <Row>(kind: Kind, { showNames, ...list }: Listing<Row>): Source<Row, Item> => ({
  name: kind,
  ...list,
  async show(read, rows) {
    const records = await showNames(read, rows);
    return records.map((record, n) => ({ kind, id: record.id, at: iso(list.at(rows[n] as Row)), record }));
  },
});

/** The list of a kind that the query asks for. Undefined if none of its records can match. */
type Listed = (
  context: Context,
  query: Omit<Query, 'kind' | 'limit' | 'cursor'>,
) => AnySource<Item> | undefined | Promise<AnySource<Item>>;

const RESULTS = { good: 'pass', failed: 'fail', waiting: 'challenge' } as const;
const PAIRING_STATES = {
  good: ['bound'],
  failed: ['declined', 'rejected', 'expired'],
  waiting: ['issued', 'proved'],
} as const;
const APPROVAL_STATES = {
  good: ['approved', 'consumed'],
  failed: ['declined', 'expired', 'cancelled'],
  waiting: ['pending'],
} as const;

const LISTS: Record<Kind, { readonly scope: ApiScope; readonly list: Listed }> = {
  verification: {
    scope: 'verifications:read',
    list(_, { outcome, ...query }) {
      const filter = { from: BEGINNING, ...query, ...(outcome && { result: RESULTS[outcome] }) };
      const { fetch, position } = verificationListing;
      return sourceOf('verification', {
        fetch: (read, count, after) => fetch(read, filter, count, after),
        position: (row) => position(row, filter),
        at: (row) => row.occurred_at,
        showNames: (read, rows) => withNames(read, rows.map(serializeVerification)),
      });
    },
  },
  pairing: {
    scope: 'verifications:read',
    list({ deps, query: { kind } }, { outcome, ...query }) {
      // Without the verification of a completed one beside it, which is the same sign-in.
      const states = outcome ? PAIRING_STATES[outcome] : Object.values(PAIRING_STATES).flat();
      const shown = states.filter((state) => kind === 'pairing' || state !== 'bound');
      if (shown.length === 0) return undefined;
      const { fetch, position, showNames } = pairingListing(deps.clock.now());
      return sourceOf('pairing', {
        fetch: (read, count, after) => fetch(read, { ...query, states: shown }, count, after),
        position,
        at: (row) => row.created_at,
        showNames,
      });
    },
  },
  attendance: {
    scope: 'attendance:read',
    list(_, { outcome, ...query }) {
      if (outcome === 'waiting') return undefined;
      const result = outcome && (outcome === 'good' ? ('accepted' as const) : ('rejected' as const));
      const filter = { from: BEGINNING, ...query, ...(result && { result }) };
      const { fetch, position } = attendanceListing;
      return sourceOf('attendance', {
        fetch: (read, count, after) => fetch(read, filter, count, after),
        position: (row) => position(row, filter),
        at: (row) => row.occurred_at,
        showNames: (read, rows) => withNames(read, rows.map(serializeAttendance)),
      });
    },
  },
  approval: {
    scope: 'approvals:read',
    list({ deps }, { outcome, deviceId, ...query }) {
      // Nobody approves at a device.
      if (deviceId !== undefined) return undefined;
      const { fetch, position, showNames } = approvalListing(deps);
      const filter = { ...query, ...(outcome && { states: APPROVAL_STATES[outcome] }) };
      return sourceOf('approval', {
        fetch: (read, count, after) => fetch(read, filter, count, after),
        position,
        at: (row) => row.created_at,
        showNames,
      });
    },
  },
  event: {
    scope: 'audit:read',
    async list({ deps, scope }, { userId, ...times }) {
      const { show, ...events } = await eventsAbout(
        deps.history.of(scope),
        userId as string,
        OF_PERSON,
        times,
      );
      return sourceOf('event', { ...events, showNames: show });
    },
  },
};

/** Whose events a query can ask for: only those of a person, who have no device and no outcome. */
function hasEvents({ userId, deviceId, outcome, kind }: Query): boolean {
  if (kind === 'event' && userId === undefined) return invalid('query.userId', 'is required with kind=event');
  return userId !== undefined && deviceId === undefined && outcome === undefined;
}

/** The kinds that the query asks for and the caller may read. 403 if it asks for one that they may not read. */
async function kindsFor({ principal, query, deps, scope }: Context): Promise<readonly Kind[]> {
  const context = { read: deps.history.of(scope), principal };
  const { kind: asked } = query;
  if (asked === 'attendance') await requireAttendanceReader(context);
  const isOpen = asked === undefined ? await mayReadAttendance(context) : true;
  const mayRead = (kind: Kind) =>
    'keyId' in principal ? principal.scopes.includes(LISTS[kind].scope) : kind !== 'attendance' || isOpen;
  const { kind } = query;
  const withEvents = hasEvents(query);
  if (kind !== undefined && !mayRead(kind))
    fail('insufficient_scopes', { message: `This kind needs the scope ${LISTS[kind].scope}.` });
  return (Object.keys(LISTS) as Kind[]).filter(
    (each) => (kind === undefined || each === kind) && (each !== 'event' || withEvents) && mayRead(each),
  );
}

/** Verifications, pairings, attendance, approvals and, of one person, audit events as one list, newest first. */
export async function listActivity(context: Context) {
  const { scope, deps, query } = context;
  const { kind: _, limit, cursor, ...filter } = query;
  const listed = await Promise.all(
    (await kindsFor(context)).map((kind) => LISTS[kind].list(context, filter)),
  );
  const sources = listed.filter((source) => source !== undefined);
  const { cursors, history } = deps;
  const page = { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) };
  const { items, nextCursor } = await mergedPage(
    { read: history.of(scope), scope, cursors },
    'activity',
    sources,
    page,
  );
  return { activity: items, environment: scope.environment, nextCursor };
}
