import type { Groth16Proof } from '@svc/zk/verifier/proof';
import { sql } from '../../db/sql.js';
import { type AuditEventRow, EVENT_COLUMNS, findNewest, headOf } from '../../ledger/read-events.js';
import { type Read, type Write, within } from '../../ledger/write.js';

/** What a phone proved of an attendance event. */
export interface NewProof {
  readonly attendanceId: string;
  readonly userId: string;
  readonly identityId: string;
  readonly did: string;
  readonly nonce: string;
  readonly digest: string;
  /** Canonical JSON. */
  readonly statement: string;
  readonly circuit: string;
  readonly proof: object;
}

/** False if the nonce was used before. Of concurrent requests, one gets true. */
export async function insertProof(w: Write, of: NewProof, now: Date): Promise<boolean> {
  const { tenantId, environment } = w.scope;
  const rows =
    await w.mutate(sql.mutation`insert into attendance_proofs (tenant_id, environment, attendance_id, user_id,
      identity_id, nonce, digest, statement, did, circuit, proof, created_at)
    values (${tenantId}, ${environment}, ${of.attendanceId}, ${of.userId}, ${of.identityId}, ${of.nonce}, ${of.digest},
      ${of.statement}, ${of.did}, ${of.circuit}, ${JSON.stringify(of.proof)}::json, ${now})
    on conflict (tenant_id, environment, nonce) do nothing returning 1 as done`);
  return rows.length > 0;
}

/** Deletes the proofs of events that are deleted. */
export async function deleteProofs(w: Write, attendanceIds: readonly string[]): Promise<void> {
  await w.mutate(sql.mutation`delete from attendance_proofs
    where ${within(w.scope)} and attendance_id = any(${[...attendanceIds]}::uuid[])`);
}

/** Deletes the proofs of a person that belong to no site. */
export async function eraseProofs(w: Write, userId: string): Promise<void> {
  await w.mutate(sql.mutation`delete from attendance_proofs where ${within(w.scope)} and user_id = ${userId}
    and attendance_id not in (select id from attendance where ${within(w.scope)} and user_id = ${userId} and site_id is not null)`);
}

export interface FoundProof {
  readonly attendance_id: string;
  readonly user_id: string;
  readonly digest: string;
  readonly created_at: Date;
}

/** Whose punch it would be. */
export interface Puncher {
  readonly id: string;
  readonly site_id: string | null;
  readonly attendance_from: 'desk' | 'anywhere' | null;
  readonly is_confirmed: boolean;
  readonly created_at: Date;
}

/** The person of a phone, before it is known that the phone may speak for them. */
export async function findPuncher(read: Read, did: string): Promise<Puncher | undefined> {
  const { tenantId, environment } = read.scope;
  const [row] =
    await read.query<Puncher>(sql.query`select u.id, u.site_id, u.attendance_from, u.name_confirmation is not null as is_confirmed,
      u.created_at from identities i
    join tenant_users u on u.tenant_id = ${tenantId} and u.environment = ${environment} and u.id = i.user_id
    where i.tenant_id = ${tenantId} and i.environment = ${environment} and i.did = ${did}`);
  return row;
}

export async function findProof(read: Read, nonce: string): Promise<FoundProof | undefined> {
  const [row] = await read.query<FoundProof>(sql.query`select attendance_id, user_id, digest, created_at
    from attendance_proofs where ${within(read.scope)} and nonce = ${nonce}`);
  return row;
}

/** Events in which the entry of a new event is. */
const NEWEST = 1_000;

/** The entry of an event of the last minutes, which is among the newest of the chain. */
export async function findEntry(read: Read, attendanceId: string): Promise<AuditEventRow | undefined> {
  const head = headOf(read.scope);
  const isIt = sql`action = 'attendance.created' and status = 'success' and entity_id = ${attendanceId}`;
  const [row] = await read.query<AuditEventRow>(sql.query`select ${EVENT_COLUMNS} from audit_events
    where ${within(read.scope)} and seq > ${head} - ${NEWEST}::bigint and seq <= ${head} and ${isIt}
    order by seq desc limit 1`);
  return row ?? findNewest<AuditEventRow>(read, EVENT_COLUMNS, isIt);
}

/** What a phone proved of an event, as it was sent. */
interface ShownProof {
  readonly attendance_id: string;
  readonly did: string;
  readonly statement: string;
  readonly circuit: string;
  readonly proof: {
    readonly proof: Groth16Proof;
    readonly publicSignals: readonly [string, string, string];
  };
}

/** The proofs of these events that there are. */
export const listProofs = (read: Read, attendanceIds: readonly string[]): Promise<ShownProof[]> =>
  read.query<ShownProof>(sql.query`select attendance_id, did, statement, circuit, proof from attendance_proofs
    where ${within(read.scope)} and attendance_id = any(${[...attendanceIds]}::uuid[])`);

/** Who proved events of a site in a time, each with the commitment of its proofs. */
export const listProvers = (
  read: Read,
  siteId: string,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<{ did: string; commitment: string; user_id: string }[]> =>
  read.query(sql.query`select distinct did, proof->'publicSignals'->>0 as commitment, user_id from attendance_proofs
    where ${within(read.scope)} and attendance_id = any (array(select id from attendance
      where ${within(read.scope)} and site_id = ${siteId} and occurred_at >= ${from} and occurred_at < ${to}))
    order by did, commitment`);
