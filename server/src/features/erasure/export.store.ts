import { type Query, type Sql, sql } from '../../db/sql.js';
import { type Read, within } from '../../ledger/write.js';
import { ofPerson, type Person } from '../registrations/registrations.js';

/** A time as JSON shows it everywhere else. */
const time = (column: Sql): Sql =>
  sql`to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The columns of a section's rows, of which `id` orders them. `t` is its table. */
interface Section {
  readonly columns: Sql;
  readonly from: Sql;
}

const identityOf = ({ scope: { tenantId, environment } }: Read, id: Sql, userId: string): Sql =>
  sql`${id} in (select i.id from identities i
    where i.tenant_id = ${tenantId} and i.environment = ${environment} and i.user_id = ${userId})`;

const theirs = (read: Read, table: Sql, condition: Sql): Sql =>
  sql`${table} t where ${within(read.scope, 't')} and ${condition}`;

/** What is known of a person besides their events, by its name in the document. */
const SECTIONS = {
  identities: (read, { userId }) => ({
    columns: sql`t.id, t.did, t.commitment, t.external_id as "externalId", t.attestation, t.device_id as "deviceId",
      ${time(sql`t.created_at`)} as "createdAt", ${time(sql`nullif(t.in_force_at, 'infinity')`)} as "inForceAt",
      ${time(sql`t.revoked_at`)} as "revokedAt"`,
    from: theirs(read, sql`identities`, sql`t.user_id = ${userId}`),
  }),
  commitments: (read, { userId }) => ({
    columns: sql`t.identity_id || '/' || t.version as id, t.identity_id as "identityId", t.version, t.commitment, t.salt, t.leaf,
      t.authorization_proof as "authorizationProof", ${time(sql`t.created_at`)} as "createdAt"`,
    from: theirs(read, sql`identity_commitments`, identityOf(read, sql`t.identity_id`, userId)),
  }),
  attestationKeys: (read, { userId }) => ({
    columns: sql`t.id, t.identity_id as "identityId", t.platform, t.credential_id as "credentialId", t.public_key as "publicKey",
      t.level, t.backup_eligible as "backupEligible", t.backed_up as "backedUp", t.counter, t.evidence_hash as "evidenceHash",
      t.evidence is not null as "evidenceKept",
      ${time(sql`t.created_at`)} as "createdAt", ${time(sql`t.last_used_at`)} as "lastUsedAt",
      ${time(sql`t.revoked_at`)} as "revokedAt"`,
    from: theirs(read, sql`attestation_keys`, identityOf(read, sql`t.identity_id`, userId)),
  }),
  anchors: (read, { userId }) => ({
    columns: sql`t.id, t.identity_id as "identityId", t.first_word as "firstWord", t.second_word as "secondWord", t.salt, t.hash,
      ${time(sql`t.created_at`)} as "createdAt"`,
    from: theirs(read, sql`anchor_leaves`, identityOf(read, sql`t.identity_id`, userId)),
  }),
  punches: (read, { userId }) => ({
    columns: sql`t.attendance_id as id, t.statement, t.did, t.proof, ${time(sql`t.created_at`)} as "createdAt"`,
    from: theirs(read, sql`attendance_proofs`, sql`t.user_id = ${userId}`),
  }),
  corrections: (read, { userId }) => ({
    columns: sql`t.id, t.state, t.cause, t.note, t.changes, t.person_statement as "statement", t.person_did as did,
      t.person_proof as proof, ${time(sql`t.created_at`)} as "createdAt", ${time(sql`t.ended_at`)} as "endedAt"`,
    from: theirs(read, sql`attendance_corrections`, sql`t.user_id = ${userId}`),
  }),
  marks: (read, { userId }) => ({
    columns: sql`t.id, t.date, t.code, t.source`,
    from: theirs(read, sql`attendance_marks`, sql`t.user_id = ${userId}`),
  }),
  devices: (read, person) => {
    const { tenantId, environment } = read.scope;
    const inScope = sql`o.tenant_id = ${tenantId} and o.environment = ${environment}`;
    return {
      columns: sql`t.id, t.name, t.device_type as "deviceType", t.external_id as "externalId", t.location_id as "locationId",
        t.battery_level as "batteryLevel", t.metadata, t.status, t.enrollment_state as "enrollmentState", t.fingerprint,
        t.attestation_kind as "attestationKind", ${time(sql`t.last_seen_at`)} as "lastSeenAt",
        ${time(sql`t.created_at`)} as "createdAt", ${time(sql`t.updated_at`)} as "updatedAt"`,
      from: theirs(
        read,
        sql`devices`,
        sql`t.id in (select o.device_id from identities o where ${inScope} and o.user_id = ${person.userId}
          union select o.device_id from registration_sessions o where ${inScope} and ${ofPerson(sql`o`, person)})`,
      ),
    };
  },
  registrations: (read, person) => ({
    columns: sql`t.id, t.state, t.profile, t.device_id as "deviceId", t.did, t.commitment, t.recovers,
      ${time(sql`t.created_at`)} as "createdAt", ${time(sql`t.updated_at`)} as "updatedAt",
      ${time(sql`t.completes_at`)} as "completesAt", ${time(sql`t.contested_at`)} as "contestedAt"`,
    from: theirs(read, sql`registration_sessions`, ofPerson(sql`t`, person)),
  }),
  sessions: (read, { userId }) => ({
    columns: sql`t.id, t.identity_id as "identityId", t.simulated, ${time(sql`t.created_at`)} as "createdAt",
      ${time(sql`t.expires_at`)} as "expiresAt", ${time(sql`t.revoked_at`)} as "endedAt"`,
    from: theirs(
      read,
      sql`sessions`,
      sql`(${identityOf(read, sql`t.identity_id`, userId)} or t.identity_id is null and t.user_id = ${userId})`,
    ),
  }),
  signIns: (read, { userId }) => ({
    columns: sql`t.id, t.client_id as "clientId", t.scope, ${time(sql`t.created_at`)} as "createdAt",
      ${time(sql`t.expires_at`)} as "expiresAt", ${time(sql`t.ended_at`)} as "endedAt"`,
    from: theirs(read, sql`oidc_grants`, identityOf(read, sql`t.identity_id`, userId)),
  }),
  pairings: (read, { userId }) => ({
    columns: sql`t.id, t.state, t.did, t.context, t.return_url as "returnUrl", ${time(sql`t.created_at`)} as "createdAt",
      ${time(sql`t.bound_at`)} as "boundAt"`,
    from: theirs(read, sql`proof_pairing_sessions`, sql`t.user_id = ${userId}`),
  }),
  approvals: (read, { userId }) => ({
    columns: sql`t.id, t.state, t.statement::json as statement, p.decision, p.reason, ${time(sql`p.decided_at`)} as "decidedAt",
      ${time(sql`t.created_at`)} as "createdAt"`,
    from: sql`approvals t join approval_approvers p on p.tenant_id = ${read.scope.tenantId}
      and p.environment = ${read.scope.environment} and p.approval_id = t.id and p.user_id = ${userId}
      where ${within(read.scope, 't')}`,
  }),
  browsers: (read, { userId }) => ({
    columns: sql`t.id, t.browser, t.system, t.how, t.key_thumbprint as "keyThumbprint", t.public_key as "publicKey",
      ${time(sql`t.created_at`)} as "createdAt", ${time(sql`t.last_used_at`)} as "lastUsedAt"`,
    from: theirs(read, sql`known_browsers`, sql`t.user_id = ${userId}`),
  }),
  connections: (read, { userId }) => ({
    columns: sql`t.connection || '/' || t.subject as id, t.connection, t.subject, ${time(sql`t.created_at`)} as "createdAt"`,
    from: theirs(read, sql`sso_identities`, sql`t.user_id = ${userId}`),
  }),
} as const satisfies Record<string, (read: Read, person: Person) => Section>;

export type SectionName = keyof typeof SECTIONS;
export const SECTION_NAMES = Object.keys(SECTIONS) as SectionName[];

export interface SectionRow {
  readonly id: string;
  readonly json: string;
}

const pageOf = ({ columns, from }: Section, after: string | undefined, count: number): Query =>
  sql.query`select row_to_json(page)::text as json, page.id::text as id from (select ${columns} from ${from}) as page
    ${after === undefined ? sql`` : sql`where page.id::text > ${after}`} order by page.id::text limit ${count}`;

/** Rows of a section, each as text of JSON, after that id. */
export const listSection = (
  read: Read,
  name: SectionName,
  person: Person,
  after: string | undefined,
  count: number,
): Promise<SectionRow[]> => read.query<SectionRow>(pageOf(SECTIONS[name](read, person), after, count));
