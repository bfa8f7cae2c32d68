import { randomUUID } from 'node:crypto';
import { type Sql, sql } from '../../src/db/sql.js';
import { openMeeting, takeStep } from './additions.js';
import { ACTION, decide } from './approvals.js';
import { enrolPasskey } from './attestation.js';
import { completeCeremony } from './ceremony.js';
import { openPairing, signIn } from './pairing.js';
import { type Person, proveFor } from './phone.js';
import type { Account, Service } from './service.js';
import { addPhone, rotatePhone } from './several-phones.js';

export interface FullPerson extends Person {
  /** The phone that the first one added. */
  readonly second: Person;
  readonly verificationId: string;
  readonly profile: Readonly<Record<string, unknown>>;
}

const post = async (service: Service, account: Account, path: string, body: object, headers = {}) => {
  const reply = await service.call('POST', path, { as: account.key, body, headers });
  if (reply.status >= 300) throw new Error(`POST ${path} returned ${reply.status} ${reply.text}`);
  return reply.body;
};

/** A person who has left something in every table that can hold something about people. */
export async function fullPerson(
  service: Service,
  account: Account,
  tag: string = randomUUID(),
): Promise<FullPerson> {
  const profile = {
    fullName: `Ada ${tag}`,
    externalId: `external-${tag}`,
    email: `${tag}@example.com`,
    phone: `+41 ${tag}`,
    employeeCode: `code-${tag}`,
    metadata: { note: tag },
  };
  const { c, reply } = await completeCeremony(service, account, { profile });
  const userId = reply.body.tenant_user.id as string;
  const first = { ...c.identity, userId };
  const use = { tenantId: account.tenantId };
  const { renewed } = await rotatePhone(service, account, first);
  const second = await addPhone(service, account, renewed);
  await enrolPasskey(service, use, renewed);
  const tokens = await post(service, account, '/v1/identity/verify', await proveFor(service, renewed, use));
  const retry = { 'idempotency-key': randomUUID() };
  await post(service, account, '/v1/identity/refresh', { refreshToken: tokens.refreshToken }, retry);
  const pairing = await openPairing(service, account.key);
  await signIn(service, account, renewed, pairing);
  const { verification } = await post(service, account, '/v1/verifications', {
    ...{ method: 'fingerprint', result: 'pass', userId },
    ...{ reason: `reason ${tag}`, referenceId: `reference-${tag}`, metadata: { note: tag } },
  });
  const verificationId = verification.id as string;
  const event = { type: 'check_in', userId, verificationId, metadata: { note: tag } };
  await post(service, account, '/v1/attendance', event);
  const meeting = await openMeeting(service, account, { old: { ...renewed, userId } });
  for (const step of ['join', 'reveal', 'open'] as const) await takeStep(service, meeting, step);
  await service.db.query(sql`insert into sso_identities (tenant_id, environment, connection, subject, user_id, created_at)
    values (${account.tenantId}, 'live', ${`connection-${tag}`}, ${`subject-${tag}`}, ${userId}, now())`);
  await insertBrowser(service, account, userId, pairing.id, tag);
  await decideTwice(service, account, { ...renewed, userId });
  return { ...renewed, userId, second, verificationId, profile };
}

/** A browser that is known to the person, and what a session that waited for their phone beside it has left. */
async function insertBrowser(
  { db }: Service,
  { tenantId }: Account,
  userId: string,
  pairingId: string,
  tag: string,
): Promise<void> {
  const key = JSON.stringify({ kty: 'EC', crv: 'P-256', x: `x-${tag}`, y: `y-${tag}` });
  const thumbprint = `thumbprint-${tag}`;
  await db.query(sql`insert into known_browsers (tenant_id, environment, id, user_id, key_thumbprint, public_key, browser, system, how,
      identity_id, commitment, created_at, last_used_at)
    select ${tenantId}, 'live', ${randomUUID()}, ${userId}, ${thumbprint}, ${key}::jsonb, 'Firefox', 'Windows', 'nearby',
      id, commitment, now(), now() from identities
    where tenant_id = ${tenantId} and environment = 'live' and user_id = ${userId} and revoked_at is null order by created_at limit 1`);
  await db.query(sql`update proof_pairing_sessions set browser_key = ${key}::jsonb, browser_thumbprint = ${thumbprint},
      proved_commitment = ${`commitment-${tag}`}, proved_metadata = ${JSON.stringify({ note: tag })}::jsonb where id = ${pairingId}`);
}

/** Approves with a number, and declines with a reason. */
async function decideTwice(service: Service, account: Account, person: Person): Promise<void> {
  const as = await service.createKey(account, 'live', ['approvals:write']);
  for (const decision of ['approve', 'decline'] as const) {
    const body = {
      approvers: [person.userId],
      action: { ...ACTION, reference: randomUUID() },
      ...{ match: 'type', expiresInSeconds: 3_600 },
    };
    const { body: asked } = await service.call('POST', '/v1/approvals', { as, body });
    const choice =
      decision === 'approve' ? { matchCode: asked.approval.matchCode } : { decision, reason: 'mistake' };
    const reply = await decide(service, person, account, asked.approval, choice);
    if (reply.status !== 200) throw new Error(`deciding returned ${reply.status} ${reply.text}`);
  }
  // As after a decision that was dropped.
  await service.db.query(sql`update approval_approvers set dropped_proofs = array[${`dropped-${person.userId}`}]
    where tenant_id = ${account.tenantId} and user_id = ${person.userId}`);
}

const ofIdentities = (column: Sql, userId: string): Sql =>
  sql`${column} in (select id from identities where user_id = ${userId})`;

/** A condition for each table: its rows about a person. Rows of an addition are found by their DIDs. */
export const ROWS_OF: Readonly<Record<string, (person: { userId: string; dids: readonly string[] }) => Sql>> =
  {
    approval_approvers: ({ userId }) => sql`user_id = ${userId}`,
    approvals: ({ userId }) =>
      sql`id in (select approval_id from approval_approvers where user_id = ${userId})`,
    anchor_leaves: ({ userId }) => ofIdentities(sql`identity_id`, userId),
    attendance: ({ userId }) => sql`user_id = ${userId}`,
    attestation_keys: ({ userId }) => ofIdentities(sql`identity_id`, userId),
    devices: ({ userId }) =>
      sql`id in (select device_id from registration_sessions where user_id = ${userId})`,
    identities: ({ userId }) => sql`user_id = ${userId}`,
    identity_additions: ({ dids }) => sql`did = any(${dids}::text[])`,
    identity_commitments: ({ userId }) => ofIdentities(sql`identity_id`, userId),
    known_browsers: ({ userId }) => sql`user_id = ${userId}`,
    proof_pairing_sessions: ({ userId }) => sql`user_id = ${userId}`,
    refresh_tokens: ({ userId }) =>
      sql`session_id in (select id from sessions where ${ofIdentities(sql`identity_id`, userId)})`,
    registration_sessions: ({ userId }) => sql`user_id = ${userId}`,
    sso_identities: ({ userId }) => sql`user_id = ${userId}`,
    tenant_users: ({ userId }) => sql`id = ${userId}`,
    verifications: ({ userId }) => sql`user_id = ${userId}`,
  };
