import { type Sql, sql } from '../../db/sql.js';
import { type Read, within } from '../../ledger/write.js';

/** What a record that entries refer to is called, and whose it is. */
export interface NamedRow {
  readonly kind: string;
  readonly id: string;
  readonly name: string | null;
  readonly user_id: string | null;
  readonly user_name: string | null;
}

type Ids = readonly string[];
type Source = (read: Read, ids: Ids) => Sql;

const NOBODY = sql`null::uuid as user_id, null::text as user_name`;
const PERSON = sql`u.id as user_id, u.full_name as user_name`;

/** Records with a name of their own. Keys and members belong to the account and not to an environment. */
const named =
  (kind: string, table: Sql, name: Sql): Source =>
  (read, ids) =>
    sql`select ${kind}::text as kind, id::text as id, ${name} as name, ${NOBODY} from ${table}
      where ${within(read.scope)} and id = any (${ids}::uuid[])`;

const ofAccount =
  (kind: string, table: Sql, name: Sql): Source =>
  ({ scope }, ids) =>
    sql`select ${kind}::text as kind, id::text as id, ${name} as name, ${NOBODY} from ${table}
      where tenant_id = ${scope.tenantId} and id = any (${ids}::uuid[])`;

/** Records of a person. The person of some is only known later. */
const ofPerson =
  (kind: string, table: Sql, { name = sql`null::text`, userId = sql`t.user_id` } = {}): Source =>
  ({ scope }, ids) =>
    sql`select ${kind}::text as kind, t.id::text as id, ${name} as name, ${PERSON} from ${table} t
      left join tenant_users u on u.tenant_id = ${scope.tenantId} and u.environment = ${scope.environment} and u.id = ${userId}
      where ${within(scope, 't')} and t.id = any (${ids}::uuid[])`;

const userOfIdentity = sql`(select i.user_id from identities i
  where i.tenant_id = t.tenant_id and i.environment = t.environment and i.id = t.identity_id)`;
const nameOfClient = sql`(select c.name from oidc_clients c
  where c.tenant_id = t.tenant_id and c.environment = t.environment and c.id = t.client_id)`;

/** The types of entities and actors whose names are known. */
const SOURCES: Readonly<Record<string, Source>> = {
  user: ofPerson('user', sql`tenant_users`, { name: sql`t.full_name`, userId: sql`t.id` }),
  device: named('device', sql`devices`, sql`name`),
  api_key: ofAccount('api_key', sql`api_keys`, sql`name`),
  member: ofAccount('member', sql`members`, sql`coalesce(name, email)`),
  passkey: ofAccount('passkey', sql`passkeys`, sql`name`),
  webhook: named('webhook', sql`webhooks`, sql`coalesce(description, url)`),
  oidc_client: named('oidc_client', sql`oidc_clients`, sql`name`),
  approval: named('approval', sql`approvals`, sql`statement::json -> 'action' ->> 'title'`),
  identity: ofPerson('identity', sql`identities`),
  session: ofPerson('session', sql`sessions`),
  verification: ofPerson('verification', sql`verifications`),
  attendance: ofPerson('attendance', sql`attendance`),
  browser: ofPerson('browser', sql`known_browsers`, {
    name: sql`nullif(concat_ws(' · ', t.browser, t.system), '')`,
  }),
  attestation_key: ofPerson('attestation_key', sql`attestation_keys`, { userId: userOfIdentity }),
  oidc_grant: ofPerson('oidc_grant', sql`oidc_grants`, { name: nameOfClient }),
  pairing_session: ofPerson('pairing_session', sql`proof_pairing_sessions`, {
    name: sql`coalesce(t.context ->> 'application', t.context ->> 'origin')`,
  }),
  registration: ofPerson('registration', sql`registration_sessions`, { name: sql`t.profile ->> 'fullName'` }),
  recovery: ofPerson('recovery', sql`registration_sessions`),
};

export const hasNames = (kind: string): boolean => Object.hasOwn(SOURCES, kind);

/** The names of records by their kinds, in one statement. */
export async function listNamed(read: Read, wanted: ReadonlyMap<string, Ids>): Promise<NamedRow[]> {
  const [first, ...others] = [...wanted].flatMap(([kind, ids]) => SOURCES[kind]?.(read, ids) ?? []);
  if (first === undefined) return [];
  const found = others.reduce((before, source) => sql`${before} union all ${source}`, first);
  return read.query<NamedRow>(sql.query`${found}`);
}
