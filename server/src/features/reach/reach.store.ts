import { sql } from '../../db/sql.js';
import type { Read } from '../../ledger/write.js';
import { within } from '../../ledger/write.js';
import { isInForce } from '../../records/in-force.js';

export interface PhoneCounts {
  people: number;
  withPasskey: number;
  phones: number;
  phonesWithPasskey: number;
}

/** The active people with an identity in force, their identities, and those of both with a passkey. */
export async function countPhones(read: Read, now: Date): Promise<PhoneCounts> {
  const { tenantId, environment } = read.scope;
  const [row] = await read.query<PhoneCounts>(sql.query`
    select count(distinct t.user_id) as people, count(distinct t.user_id) filter (where k.id is not null) as "withPasskey",
      count(*) as phones, count(k.id) as "phonesWithPasskey"
    from identities t
    join tenant_users u on u.tenant_id = ${tenantId} and u.environment = ${environment} and u.id = t.user_id
      and u.status = 'active'
    left join attestation_keys k on k.tenant_id = ${tenantId} and k.environment = ${environment} and k.identity_id = t.id
      and k.revoked_at is null
    where ${within(read.scope, 't')} and ${isInForce(sql`t`, now)}`);
  return row as PhoneCounts;
}

export interface SignInCounts {
  total: number;
  withoutNumber: number;
  byApiKey: number;
  withoutBrowserKey: number;
  deviceFlow: number;
}

/** The newest approved sign-ins, by what a stricter policy rejects of them. */
export async function countSignIns(read: Read, since: Date, limit: number): Promise<SignInCounts> {
  const isDeviceFlow = sql`s.context -> 'device' is not null`;
  const isElsewhere = sql`(s.return_url is null and s.context -> 'device' is null)`;
  const isKeyless = sql`(${isElsewhere} and s.browser_thumbprint is null and s.opened_by_device is null)`;
  const [row] = await read.query<SignInCounts>(sql.query`
    select count(*) as total, count(*) filter (where s.match_hash is null and ${isElsewhere}) as "withoutNumber",
      count(*) filter (where s.purpose = 'sign_in' and ${isKeyless}) as "byApiKey",
      count(*) filter (where s.purpose = 'oidc' and ${isKeyless}) as "withoutBrowserKey",
      count(*) filter (where ${isDeviceFlow}) as "deviceFlow"
    from (select t.match_hash, t.context, t.return_url, t.purpose, t.browser_thumbprint, t.opened_by_device
      from proof_pairing_sessions t
      where ${within(read.scope, 't')} and t.state = 'bound' and t.created_at > ${since}
      order by t.id desc limit ${limit}) as s`);
  return row as SignInCounts;
}

export async function countDeviceApplications(read: Read): Promise<number> {
  const [row] = await read.query<{ count: number }>(
    sql.query`select count(*) as count from oidc_clients where ${within(read.scope)} and type = 'device'`,
  );
  return row?.count ?? 0;
}
