import { ageOf, type Expiry } from '../../db/expiry.js';
import { type Sql, sql } from '../../db/sql.js';
import type { Scope } from '../../ledger/audit-store.js';
import type { UnauditedWrite } from '../../ledger/unaudited.js';
import { type Read, type Write, within } from '../../ledger/write.js';
import { isInForce } from '../../records/in-force.js';
import type { BrowserKey } from './browser-key.js';

/** A browser that nobody used for so long is forgotten. */
const UNUSED_MS = 180 * 24 * 60 * 60_000;
const usedBefore = ageOf(UNUSED_MS);

export const BROWSER_EXPIRY: Expiry = {
  table: sql`known_browsers`,
  column: sql`last_used_at`,
  before: usedBefore,
};

export interface BrowserRow {
  id: string;
  user_id: string;
  browser: string | null;
  system: string | null;
  how: 'nearby' | 'same_device';
  created_at: Date;
  last_used_at: Date;
}

const COLUMNS = sql`id, user_id, browser, system, how, created_at, last_used_at`;

/**
 * A condition: the browser `t` is in use, and the identity that made it known is in force with the secret that it had then. One from before has
 * no identity.
 */
const isKnown = (
  { tenantId, environment }: Scope,
  now: Date,
): Sql => sql`(t.last_used_at >= ${usedBefore(now.getTime())}
  and exists (select 1 from identities i where i.tenant_id = ${tenantId} and i.environment = ${environment}
    and i.id = t.identity_id and i.user_id = t.user_id and i.commitment = t.commitment and ${isInForce(sql`i`, now)}))`;

/** A condition: the browser with this key is known to the person. */
export const isKnownTo = (
  scope: Scope,
  { userId, thumbprint }: { readonly userId: Sql; readonly thumbprint: Sql },
  now: Date,
): Sql => sql`exists (select 1 from known_browsers t
    where ${within(scope, 't')} and t.user_id = ${userId} and t.key_thumbprint = ${thumbprint} and ${isKnown(scope, now)})`;

/** Those of a person, the last one used first. */
export const listBrowsers = (read: Read, userId: string, now: Date): Promise<BrowserRow[]> =>
  read.query<BrowserRow>(sql.query`select ${COLUMNS} from known_browsers t
    where ${within(read.scope, 't')} and user_id = ${userId} and ${isKnown(read.scope, now)} order by last_used_at desc, id desc`);

/** Browsers of one person become known and are forgotten one after another. False if the person is not active. */
export async function lockPerson(w: Write, userId: string): Promise<boolean> {
  const rows = await w.query(sql.query`select 1 from tenant_users
    where ${within(w.scope)} and id = ${userId} and status = 'active' for no key update`);
  return rows.length > 0;
}

/** Records a use. Undefined if the browser is not known to the person. */
export async function useBrowser(
  w: Write,
  userId: string,
  thumbprint: string,
  now: Date,
): Promise<string | undefined> {
  const [row] = await w.mutate<{ id: string }>(sql.mutation`update known_browsers t
    set last_used_at = greatest(last_used_at, ${now}::timestamptz)
    where ${within(w.scope, 't')} and user_id = ${userId} and key_thumbprint = ${thumbprint} and ${isKnown(w.scope, now)}
    returning id`);
  return row?.id;
}

export interface NewBrowser extends Pick<BrowserRow, 'browser' | 'system' | 'how'> {
  readonly id: string;
  readonly userId: string;
  /** Of the proof that makes it known. */
  readonly identityId: string;
  readonly commitment: string;
  readonly key: BrowserKey;
}

/** One that is not known any more, and was not deleted yet, is replaced. */
export async function insertBrowser(w: Write, of: NewBrowser, now: Date): Promise<void> {
  const { tenantId, environment } = w.scope;
  await w.mutate(sql.mutation`delete from known_browsers
    where ${within(w.scope)} and user_id = ${of.userId} and key_thumbprint = ${of.key.thumbprint}`);
  await w.mutate(sql.mutation`insert into known_browsers (tenant_id, environment, id, user_id, key_thumbprint, public_key, browser,
      system, how, identity_id, commitment, created_at, last_used_at)
    values (${tenantId}, ${environment}, ${of.id}, ${of.userId}, ${of.key.thumbprint}, ${JSON.stringify(of.key.jwk)}::jsonb,
      ${of.browser}, ${of.system}, ${of.how}, ${of.identityId}, ${of.commitment}, ${now}, ${now})`);
}

/** Deletes all of a person but the last ones used. */
export const deleteUnused = (w: Write, userId: string, kept: number): Promise<{ id: string }[]> =>
  w.mutate<{
    id: string;
  }>(sql.mutation`delete from known_browsers where ${within(w.scope)} and id = any (array(
      select id from known_browsers where ${within(w.scope)} and user_id = ${userId}
      order by last_used_at desc, id desc offset ${kept})) returning id`);

/** With `userId`, only if it is known to that person. */
export async function deleteBrowser(w: Write, id: string, userId?: string): Promise<BrowserRow | undefined> {
  const isTheirs = userId === undefined ? sql`true` : sql`user_id = ${userId}`;
  const [row] = await w.mutate<BrowserRow>(
    sql.mutation`delete from known_browsers where ${within(w.scope)} and id = ${id} and ${isTheirs} returning ${COLUMNS}`,
  );
  return row;
}

/** Deletes a browser of all people. Returns the ids of the rows. */
export async function deleteByKey(w: Write, thumbprint: string): Promise<string[]> {
  const rows = await w.mutate<{ id: string }>(sql.mutation`delete from known_browsers
    where ${within(w.scope)} and id = any (array(select id from known_browsers
      where ${within(w.scope)} and key_thumbprint = ${thumbprint} order by id for update)) returning id`);
  return rows.map(({ id }) => id);
}

/** Deletes those that these identities made known. */
export const deleteOfIdentities = (w: Write, identityIds: readonly string[]): Promise<{ id: string }[]> =>
  w.mutate<{
    id: string;
  }>(sql.mutation`delete from known_browsers where ${within(w.scope)} and identity_id = any(${[...identityIds]}::uuid[])
    and user_id in (select user_id from identities where ${within(w.scope)} and id = any(${[...identityIds]}::uuid[])) returning id`);

/** Deletes all of a person. */
export const deleteOfPerson = (w: Write, userId: string): Promise<{ id: string }[]> =>
  w.mutate<{ id: string }>(
    sql.mutation`delete from known_browsers where ${within(w.scope)} and user_id = ${userId} returning id`,
  );

/** Deletes those of a person who is erased. */
export async function eraseBrowsers(w: Write, userId: string): Promise<void> {
  await w.mutate(sql.mutation`delete from known_browsers where ${within(w.scope)} and user_id = ${userId}`);
}

/** Forgets browsers after a restore. Returns how many: fewer than `count` were the last ones. */
export async function deleteRestoredBrowsers(
  w: UnauditedWrite<'restored rows'>,
  scope: Scope,
  count: number,
): Promise<number> {
  const rows = await w.mutate(sql.mutation`delete from known_browsers
    where ${within(scope)} and id in (select id from known_browsers where ${within(scope)} limit ${count})
    returning 1 as done`);
  return rows.length;
}
