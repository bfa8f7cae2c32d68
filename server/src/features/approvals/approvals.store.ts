import { hash } from 'node:crypto';
import { lowestIdAt } from '../../base/crypto/random.js';
import type { Database } from '../../db/db.js';
import { join, type Query, type Sql, sql } from '../../db/sql.js';
import type { Scope } from '../../ledger/audit-store.js';
import { type Read, type Write, within } from '../../ledger/write.js';
import { isInForce } from '../../records/in-force.js';
import type { ApprovalState, Reason } from './states.js';

export interface ApprovalRow {
  id: string;
  state: ApprovalState;
  /** Null after an approver was erased. */
  statement: string | null;
  digest: string;
  required: number;
  match_hash: string | null;
  created_at: Date;
  /** Rises with each decision and each state. */
  revision: number;
  expires_at: Date;
}

const COLUMNS = sql`t.id, t.state, t.statement, t.digest, t.required, t.match_hash, t.created_at, t.revision, t.expires_at`;

export interface NewApproval {
  readonly id: string;
  readonly statement: string;
  readonly digest: string;
  readonly approvers: readonly string[];
  readonly required: number;
  readonly matchHash: string | null;
  readonly reference: string | null;
  readonly requester: { readonly kind: 'api_key' | 'member' | 'client'; readonly id: string };
  readonly expiresAt: Date;
}

export async function insertApproval(w: Write, of: NewApproval, now: Date): Promise<ApprovalRow> {
  const { tenantId, environment } = w.scope;
  const [[row]] = await Promise.all([
    w.mutate<ApprovalRow>(sql.mutation`insert into approvals as t
        (tenant_id, environment, id, state, statement, digest, required, match_hash, reference, requester_kind,
         requester_id, created_at, expires_at)
      values (${tenantId}, ${environment}, ${of.id}, 'pending', ${of.statement}, ${of.digest}, ${of.required}, ${of.matchHash},
        ${of.reference}, ${of.requester.kind}, ${of.requester.id}, ${now}, ${of.expiresAt}) returning ${COLUMNS}`),
    w.mutate(sql.mutation`insert into approval_approvers (tenant_id, environment, approval_id, user_id)
      select ${tenantId}::uuid, ${environment}, ${of.id}::uuid, unnest(${[...of.approvers]}::uuid[])`),
  ]);
  return row as ApprovalRow;
}

/** Approvals end within seven days. An eighth, because the clocks of nodes differ. */
const MAX_OPEN_MS = 8 * 24 * 60 * 60_000;

/** Approvals `p` that may still wait. Without it, a query would read all that a person was ever asked for. */
const mayWait = (now: Date): Sql => sql`p.approval_id >= ${lowestIdAt(now.getTime() - MAX_OPEN_MS)}::uuid`;

/** What the service knows of each person who is to approve. */
export interface ApproverState {
  id: string;
  status: 'active' | 'inactive';
  erased: boolean;
  has_identity: boolean;
  /** Approvals that wait for them, and those of this requester. */
  open: number;
  open_of_requester: number;
}

export const readApprovers = (
  read: Read,
  userIds: readonly string[],
  requester: NewApproval['requester'],
  now: Date,
): Promise<ApproverState[]> => {
  const { tenantId, environment } = read.scope;
  const open = (more: Sql) => sql`(select count(*)::integer from approval_approvers p join approvals a
      on a.tenant_id = p.tenant_id and a.environment = p.environment and a.id = p.approval_id
    where p.tenant_id = ${tenantId} and p.environment = ${environment} and p.user_id = t.id and ${mayWait(now)}
      and a.tenant_id = ${tenantId} and a.environment = ${environment} and a.state = 'pending' and a.expires_at > ${now} ${more})`;
  return read.query<ApproverState>(sql.query`select t.id, t.status, t.erased_at is not null as erased,
      exists (select 1 from identities i where i.tenant_id = ${tenantId} and i.environment = ${environment}
        and i.user_id = t.id and ${isInForce(sql`i`, now)}) as has_identity,
      ${open(sql``)} as open,
      ${open(sql`and a.requester_kind = ${requester.kind} and a.requester_id = ${requester.id}`)} as open_of_requester
    from tenant_users t where ${within(read.scope, 't')} and t.id = any(${[...userIds]}::uuid[])`);
};

export async function findApproval(read: Read, id: string): Promise<ApprovalRow | undefined> {
  const [row] = await read.query<ApprovalRow>(
    sql.query`select ${COLUMNS} from approvals t where ${within(read.scope, 't')} and t.id = ${id}`,
  );
  return row;
}

/** The approval while the credential that watches it is valid. */
export async function findWhile(read: Read, id: string, credential: Query): Promise<ApprovalRow | undefined> {
  const [row] = await read.query<ApprovalRow>(sql.query`select ${COLUMNS} from approvals t
    where ${within(read.scope, 't')} and t.id = ${id} and exists (${credential})`);
  return row;
}

/** What each of these approvals says. Null after an approver was erased. */
export const listStatements = (
  read: Read,
  ids: readonly string[],
): Promise<Pick<ApprovalRow, 'id' | 'statement'>[]> =>
  read.query<Pick<ApprovalRow, 'id' | 'statement'>>(
    sql.query`select t.id, t.statement from approvals t where ${within(read.scope, 't')} and t.id = any(${[...ids]}::uuid[])`,
  );

/** Locks an approval until the transaction ends, so that its decisions, its end and its use happen one after another. */
export async function lockApproval(w: Write, id: string): Promise<ApprovalRow | undefined> {
  const [row] = await w.query<ApprovalRow>(
    sql.query`select ${COLUMNS} from approvals t where ${within(w.scope, 't')} and t.id = ${id} for no key update`,
  );
  return row;
}

/** Where an approval is, and its digest: a phone without an API key knows only its id. */
export interface Place extends Pick<ApprovalRow, 'digest' | 'match_hash'> {
  tenant_id: string;
  environment: Scope['environment'];
}

export async function findPlace(db: Database, id: string): Promise<Place | undefined> {
  const [row] = await db.query<Place>(
    sql.query`select tenant_id, environment, digest, match_hash from approvals where id = ${id}`,
  );
  return row;
}

export interface DecisionRow {
  approval_id: string;
  user_id: string;
  decision: 'approve' | 'decline' | null;
  decided_at: Date | null;
  identity_id: string | null;
  did: string | null;
  reason: Reason | null;
}

/** The people who may decide about these approvals, with what they decided. */
export const listDecisions = (read: Read, ids: readonly string[]): Promise<DecisionRow[]> =>
  read.query<DecisionRow>(sql.query`select approval_id, user_id, decision, decided_at, identity_id, did, reason
    from approval_approvers where ${within(read.scope)} and approval_id = any(${[...ids]}::uuid[])
    order by approval_id, decided_at, user_id`);

export interface NewDecision {
  readonly approvalId: string;
  readonly userId: string;
  readonly decision: 'approve' | 'decline';
  /** By the phone's clock, and by the service's. */
  readonly decidedAt: Date;
  readonly recordedAt: Date;
  readonly identityId: string;
  readonly did: string;
  readonly reason: Reason | null;
  readonly matchCode: string | null;
  readonly circuit: string;
  /** With its public signals, as sent. */
  readonly proof: { readonly publicSignals: Given['public_signals'] };
}

/** Records the first decision of a person. False if they have decided, or if a decision of the same proof was dropped. */
export async function insertDecision(w: Write, of: NewDecision): Promise<boolean> {
  const rows =
    await w.mutate(sql.mutation`update approval_approvers set decision = ${of.decision}, decided_at = ${of.decidedAt},
      recorded_at = ${of.recordedAt}, identity_id = ${of.identityId}, did = ${of.did}, reason = ${of.reason}, typed_number = ${of.matchCode},
      circuit = ${of.circuit}, proof = ${JSON.stringify(of.proof)}::json
    where ${within(w.scope)} and approval_id = ${of.approvalId} and user_id = ${of.userId} and decision is null
      and not coalesce(${shownBy(of.proof.publicSignals)} = any(dropped_proofs), false)
    returning 1 as done`);
  return rows.length > 0;
}

export interface Tally {
  approved: number;
  declined: number;
  all: number;
}

export async function countDecisions(read: Read, id: string): Promise<Tally> {
  const [row] = await read.query<Tally>(sql.query`select
      count(*) filter (where decision = 'approve')::integer as approved,
      count(*) filter (where decision = 'decline')::integer as declined, count(*)::integer as all
    from approval_approvers where ${within(read.scope)} and approval_id = ${id}`);
  return row as Tally;
}

/**
 * Moves an approval that is in one of these states, or notes that it has changed. Undefined if it is in none. `endedAt` is for ends that no
 * decision settles.
 */
export async function moveApproval(
  w: Write,
  id: string,
  from: readonly ApprovalState[],
  to: ApprovalState,
  endedAt: Date | null = null,
): Promise<ApprovalRow | undefined> {
  const [row] =
    await w.mutate<ApprovalRow>(sql.mutation`update approvals t set state = ${to}, revision = revision + 1,
      ended_at = ${endedAt}
    where ${within(w.scope, 't')} and t.id = ${id} and t.state = any(${[...from]}) returning ${COLUMNS}`);
  return row;
}

/** A person's approval, and the secret that the identity has now which gave it. */
export interface Given {
  user_id: string;
  public_signals: readonly string[];
  /** Null unless the identity is in force and its person active. */
  commitment: string | null;
}

export function listGiven(read: Read, id: string, now: Date): Promise<Given[]> {
  const { tenantId, environment } = read.scope;
  return read.query<Given>(sql.query`select t.user_id, t.proof -> 'publicSignals' as public_signals,
      (select i.commitment from identities i join tenant_users u
        on u.tenant_id = ${tenantId} and u.environment = ${environment} and u.id = i.user_id
      where i.tenant_id = ${tenantId} and i.environment = ${environment} and i.id = t.identity_id and i.user_id = t.user_id
        and u.status = 'active' and ${isInForce(sql`i`, now)}) as commitment
    from approval_approvers t where ${within(read.scope, 't')} and t.approval_id = ${id} and t.decision = 'approve'`);
}

/** What a proof shows, whatever its numbers are: somebody who has one can make others of the same commitment and binding. */
const shownBy = ([commitment, bound]: Given['public_signals']): string =>
  hash('sha256', `${commitment}|${bound}`, 'hex');

/** Forgets these approvals, but not that they were sent. */
export async function dropGiven(w: Write, id: string, dropped: readonly Given[]): Promise<void> {
  await w.mutate(sql.mutation`update approval_approvers t set decision = null, decided_at = null, recorded_at = null,
      identity_id = null, did = null, reason = null, typed_number = null, circuit = null, proof = null,
      dropped_proofs = array_append(t.dropped_proofs, d.shown)
    from unnest(${dropped.map((each) => each.user_id)}::uuid[], ${dropped.map((each) => shownBy(each.public_signals))}::text[])
      as d (user_id, shown)
    where ${within(w.scope, 't')} and t.approval_id = ${id} and t.user_id = d.user_id`);
}

export interface Filter {
  /** Any of them. */
  readonly states?: readonly ApprovalState[];
  readonly userId?: string;
  readonly reference?: string;
  readonly from?: string;
  readonly to?: string;
}

const HAS_LAPSED = (now: Date): Sql => sql`t.state in ('pending', 'approved') and t.expires_at <= ${now}`;

const isIn = (state: ApprovalState, now: Date): Sql =>
  state === 'expired'
    ? sql`t.state = 'expired' or ${HAS_LAPSED(now)}`
    : sql`t.state = ${state} and not (${HAS_LAPSED(now)})`;

/** Newest first. */
export function listApprovals(
  read: Read,
  filter: Filter,
  count: number,
  before: string | undefined,
  now: Date,
): Promise<ApprovalRow[]> {
  const { states, userId, reference, from, to } = filter;
  const { tenantId, environment } = read.scope;
  const conditions = [
    within(read.scope, 't'),
    ...(states
      ? [
          sql`(${join(
            states.map((state) => isIn(state, now)),
            ' or ',
          )})`,
        ]
      : []),
    ...(userId
      ? [
          sql`t.id in (select p.approval_id from approval_approvers p where p.tenant_id = ${tenantId}
            and p.environment = ${environment} and p.user_id = ${userId})`,
        ]
      : []),
    ...(reference ? [sql`t.reference = ${reference}`] : []),
    ...(from ? [sql`t.created_at >= ${from}::timestamptz`] : []),
    ...(to ? [sql`t.created_at < ${to}::timestamptz`] : []),
    ...(before ? [sql`t.id < ${before}`] : []),
  ];
  return read.query<ApprovalRow>(
    sql.query`select ${COLUMNS} from approvals t where ${join(conditions, ' and ')} order by t.id desc limit ${count}`,
  );
}

/** The statements that wait for a person, newest first. */
export const listInbox = (
  read: Read,
  userId: string,
  count: number,
  now: Date,
): Promise<{ statement: string }[]> => {
  const { tenantId, environment } = read.scope;
  return read.query<{
    statement: string;
  }>(sql.query`select t.statement from approvals t join approval_approvers p
      on p.tenant_id = ${tenantId} and p.environment = ${environment} and p.approval_id = t.id
    where ${within(read.scope, 't')} and p.user_id = ${userId} and ${mayWait(now)} and p.decision is null and t.state = 'pending'
      and t.expires_at > ${now} and t.statement is not null order by t.id desc limit ${count}`);
};

/** Removes what these approvals of a person say. Those that wait are cancelled, because their text is gone. Returns their ids. */
export async function eraseApprovals(w: Write, userId: string): Promise<string[]> {
  const { tenantId, environment } = w.scope;
  const theirs = sql`select p.approval_id from approval_approvers p where p.tenant_id = ${tenantId}
    and p.environment = ${environment} and p.user_id = ${userId}`;
  const [cancelled] = await Promise.all([
    w.mutate<{ id: string }>(sql.mutation`update approvals t set state = 'cancelled', revision = revision + 1
      where ${within(w.scope, 't')} and t.id in (${theirs}) and t.state in ('pending', 'approved') returning t.id`),
    w.mutate(sql.mutation`update approvals t set statement = null, reference = null
      where ${within(w.scope, 't')} and t.id in (${theirs})`),
    w.mutate(sql.mutation`update approval_approvers t set did = null, reason = null, typed_number = null, proof = null,
        dropped_proofs = null
      where ${within(w.scope, 't')} and t.approval_id in (${theirs})`),
  ]);
  return cancelled.map(({ id }) => id);
}

/** Approvals of all accounts whose time is over. */
export const listLapsed = (
  db: Database,
  now: Date,
  count: number,
): Promise<{ tenant_id: string; environment: Scope['environment']; id: string }[]> =>
  db.query(sql.query`select t.tenant_id, t.environment, t.id from approvals t where t.state in ('pending', 'approved')
    and t.expires_at <= ${now} order by t.expires_at limit ${count}`);

/** Approvals of a chain that wait or are given, also those whose time is over. */
export async function listOpen(read: Read, count: number): Promise<string[]> {
  const rows = await read.query<{ id: string }>(sql.query`select t.id from approvals t
    where ${within(read.scope, 't')} and t.state in ('pending', 'approved') order by t.id limit ${count}`);
  return rows.map(({ id }) => id);
}

/** The revision of each approval, for the requests that wait for the next. */
export async function approvalRevisions(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; revision: number }>(
    sql.query`select id, revision from approvals where id = any(${[...ids]}::uuid[])`,
  );
  return new Map(rows.map(({ id, revision }) => [id, String(revision)]));
}
