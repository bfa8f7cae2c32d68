import { shownName } from '@svc/zk/approvals/shown-name';
import type { Statement } from '@svc/zk/approvals/statement';
import { sha256Hex } from '@svc/zk/prover/sha256';
import type { Static } from 'typebox';
import { fail, invalid } from '../../base/errors.js';
import type { Database } from '../../db/db.js';
import type { Deps } from '../../http/deps.js';
import type { ConsolePrincipal, KeyPrincipal } from '../../http/principal.js';
import type { ScopedContext } from '../../http/route.js';
import type { Read, Write } from '../../ledger/write.js';
import { page } from '../../records/list.js';
import { iso } from '../../records/schema.js';
import { drawNumber, hashNumber } from '../pairing/pairing.js';
import type { CreateBody, ListQuery } from './approvals.schema.js';
import * as store from './approvals.store.js';
import { APPROVAL_TOPIC, auditApproval } from './changes.js';
import { type LetterContext, tellApprovers } from './letters.js';
import { withNames } from './names.js';
import { canonicalStatement, requireAction } from './statement.js';
import { stateAt } from './states.js';

export { NamedApproval } from './approvals.schema.js';
export { cancelRestored } from './ends.js';

/** The revision of each approval, for the requests that wait for the next. */
export const approvalRevisions = (db: Database, ids: readonly string[]): Promise<Map<string, string>> =>
  store.approvalRevisions(db, ids);

const DEFAULT_SECONDS = 300;
/** Approvals that may wait for a person: of one requester, and of all. A person who is asked all the time approves without reading. */
const MAX_OPEN_OF_REQUESTER = 5;
const MAX_OPEN = 20;

type ApprovalDeps = Pick<Deps, 'bus' | 'clock' | 'config' | 'ids' | 'keyring' | 'random'>;
type Context = ScopedContext & {
  readonly deps: ApprovalDeps;
  readonly principal: KeyPrincipal | ConsolePrincipal;
};

type Requester = Statement['requestedBy'];

function requesterOf({ principal }: Context): Requester {
  if ('member' in principal) {
    const { id, name } = principal.member;
    return { kind: 'member', id, name: shownName(name ?? '', 'A member') };
  }
  const { keyId: id, keyName } = principal;
  return { kind: 'api_key', id, name: shownName(keyName, 'An API key') };
}

/** 404 and 409 for people who can't approve, and 429 if they have been asked too often. */
async function requireApprovers(w: Write, ids: readonly string[], by: Requester, now: Date): Promise<void> {
  const found = await store.readApprovers(w, ids, by, now);
  if (found.length < ids.length) fail('user_not_found');
  if (found.some(({ erased }) => erased)) fail('user_erased');
  if (found.some(({ status, has_identity }) => status !== 'active' || !has_identity))
    fail('approver_without_identity');
  if (
    found.some(
      ({ open, open_of_requester }) => open >= MAX_OPEN || open_of_requester >= MAX_OPEN_OF_REQUESTER,
    )
  )
    fail('approval_limit_reached', { retryAfterSeconds: 60 });
}

/** Asks people for their yes to one action. */
export async function createApproval(context: Context & LetterContext, input: Static<typeof CreateBody>) {
  const { deps, scope, principal, write } = context;
  const action = requireAction(input.action);
  const approvers = [...new Set(input.approvers.map((id) => id.toLowerCase()))].sort();
  if (approvers.length < input.approvers.length) invalid('body.approvers', 'must have each id once');
  const { required = approvers.length, match = 'off', expiresInSeconds = DEFAULT_SECONDS } = input;
  if (required > approvers.length) invalid('body.required', 'must be at most the number of approvers');
  const by = requesterOf(context);
  const now = new Date(deps.clock.now());
  const expiresAt = new Date(now.getTime() + expiresInSeconds * 1000);
  const id = deps.ids();
  const text = canonicalStatement({
    v: 'svc-approval-1',
    issuer: deps.config.baseUrl,
    ...scope,
    approvalId: id,
    nonce: deps.random.bytes(16).toString('hex'),
    company: shownName(principal.tenant.companyName, 'An account'),
    requestedBy: by,
    ...{ approvers, required, match, action },
    createdAt: iso(now),
    expiresAt: iso(expiresAt),
  });
  const digest = sha256Hex(text);
  const matchCode = match === 'type' ? drawNumber(deps.random) : undefined;
  const approval = await write('approval.created', async (w) => {
    auditApproval(w, 'approval.created', { id, digest }, { approvers: approvers.length, required });
    const created = {
      ...{ id, statement: text, digest, approvers, required, expiresAt },
      matchHash: matchCode === undefined ? null : hashNumber(deps, { scope, id }, matchCode),
      reference: action.reference ?? null,
      requester: by,
    };
    // Sent together. What was inserted for people who can't approve is rolled back.
    const [, approval] = await Promise.all([
      requireApprovers(w, approvers, by, now),
      store.insertApproval(w, created, now),
    ]);
    return serialize(deps, approval, approvers, []);
  });
  tellApprovers(context, approvers, approval.link);
  return { approval: { ...approval, ...(matchCode !== undefined && { matchCode }) } };
}

type Showing = Pick<Context, 'read' | 'deps'>;

/** Approvals as their account sees them. */
async function show({ read, deps }: Showing, rows: readonly store.ApprovalRow[]) {
  const decisions = await store.listDecisions(
    read,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => {
    const own = decisions.filter(({ approval_id }) => approval_id === row.id);
    const approvers = own.map(({ user_id }) => user_id).sort();
    return serialize(
      deps,
      row,
      approvers,
      own.filter(({ decision }) => decision !== null),
    );
  });
}

function serialize(
  { config, clock }: ApprovalDeps,
  row: store.ApprovalRow,
  approvers: readonly string[],
  decisions: readonly store.DecisionRow[],
) {
  const link = `${config.baseUrl}/phone/#approval=${row.id}`;
  return {
    id: row.id,
    state: stateAt(row, clock.now()),
    approvers: [...approvers],
    required: row.required,
    decisions: decisions.map(({ user_id: userId, decision, decided_at: decidedAt, reason }) => ({
      ...{ userId, decision: decision as 'approve' | 'decline', reason },
      decidedAt: iso(decidedAt as Date),
    })),
    action: row.statement === null ? null : (JSON.parse(row.statement) as Statement).action,
    digest: row.digest,
    createdAt: iso(row.created_at),
    expiresAt: iso(row.expires_at),
    ...{ link, qrPayload: link, url: link },
  };
}

/** Within the write that changed it, so that what is committed is also shown. */
export async function showRow(context: Showing, row: store.ApprovalRow) {
  const [approval] = await show(context, [row]);
  return approval as NonNullable<typeof approval>;
}

export async function requireApproval(read: Read, id: string): Promise<store.ApprovalRow> {
  return (await store.findApproval(read, id)) ?? fail('approval_not_found');
}

export const showOne = async (context: Showing, id: string) => ({
  approval: await showRow(context, await requireApproval(context.read, id)),
});

type ListContext = Pick<Context, 'scope' | 'deps'> & {
  readonly deps: Pick<Deps, 'cursors' | 'history'>;
  readonly query: Static<typeof ListQuery>;
};

/** As the list has them, for lists of more than approvals. */
export const approvalListing = (deps: ApprovalDeps) => ({
  fetch: (read: Read, filter: store.Filter, count: number, before: string | undefined) =>
    store.listApprovals(read, filter, count, before, new Date(deps.clock.now())),
  showNames: async (read: Read, rows: readonly store.ApprovalRow[]) =>
    withNames(read, { include: 'names' }, await show({ read, deps }, rows)),
  position: (row: store.ApprovalRow) => row.id,
});

export async function approvalList(context: ListContext) {
  const { scope, deps, query } = context;
  const read = deps.history.of(scope);
  const { fetch, position } = approvalListing(deps);
  const { state, ...filter } = query;
  const { items, nextCursor } = await page(
    deps.cursors,
    scope,
    'approvals',
    query,
    (count, before) => fetch(read, { ...filter, ...(state && { states: [state] }) }, count, before),
    position,
  );
  return { approvals: await show({ read, deps }, items), environment: scope.environment, nextCursor };
}

/** Ends an approval that still waits. */
export async function cancelApproval(context: Context, id: string) {
  const { deps, write, read } = context;
  const now = new Date(deps.clock.now());
  const row = await requireApproval(read, id);
  if (stateAt(row, now.getTime()) !== 'pending') fail('approval_closed', { because: row.state });
  const approval = await write('approval.cancelled', async (w) => {
    const locked = await store.lockApproval(w, id);
    if (locked === undefined || stateAt(locked, now.getTime()) !== 'pending')
      return fail('approval_closed', { because: 'concurrently' });
    auditApproval(w, 'approval.cancelled', locked);
    await store.moveApproval(w, id, ['pending'], 'cancelled', now);
    return showRow({ read: w, deps }, { ...locked, state: 'cancelled' });
  });
  deps.bus.publish(APPROVAL_TOPIC, id);
  return { approval };
}

/** Removes what the approvals of a person say, within the write that erases the person. */
export async function eraseApprovals(w: Write, userId: string): Promise<void> {
  for (const entityId of await store.eraseApprovals(w, userId))
    w.audit({ action: 'approval.cancelled', entityType: 'approval', entityId, metadata: { by: 'erasure' } });
}
