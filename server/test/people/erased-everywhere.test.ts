import { afterAll, beforeAll, expect, it } from 'vitest';
import { COLUMNS, personalColumns } from '../../src/db/columns.js';
import { type Sql, sql } from '../../src/db/sql.js';
import { type FullPerson, fullPerson, ROWS_OF } from '../support/full-person.js';
import { type Account, type Service, startService } from '../support/service.js';

let service: Service;
let account: Account;
let eraser: string;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
  eraser = await service.createKey(account, 'live', ['users:erase']);
});
afterAll(() => service.close());

const CANARY = 'canary-5f0e';
/** What erasing a person does not remove immediately, or what a test can't give a value of that person. */
const NOT_OF_PERSON = new Set([
  ...['demo_idp_codes', 'idempotency_keys', 'oidc_state', 'spent_names', 'leads'],
  // Working time has a retention time of its own: server/test/time/retention.test.ts.
  ...['attendance_corrections', 'attendance_marks', 'attendance_pins', 'attendance_proofs'],
]);
/** Their values have a form, or the rest of the row depends on them, so they keep what the service has written. */
const OWN_VALUES =
  /^(did|commitment|salt|first_word|second_word|a|a_hash|b|c|new_\w+|authorization_proof|retry_answer|external_id|challenge_nonce)$/;

const name = (text: string): Sql => sql(Object.assign([text], { raw: [text] }));
const typesOf = async (table: string) =>
  new Map(
    (
      await service.db.query<{ column_name: string; data_type: string }>(
        sql`select column_name, data_type from information_schema.columns where table_schema = 'public' and table_name = ${table}`,
      )
    ).map((row) => [row.column_name, row.data_type]),
  );

const tables = Object.keys(COLUMNS).filter(
  (table) => 'person' in COLUMNS[table as keyof typeof COLUMNS] && !NOT_OF_PERSON.has(table),
);

/** Puts a canary into every column of the person's rows that can have any text. */
async function plantCanaries(person: { userId: string; dids: string[] }) {
  for (const table of tables) {
    const types = await typesOf(table);
    for (const [column] of personalColumns(table).filter(([each]) => !OWN_VALUES.test(each))) {
      const type = types.get(column);
      const value =
        type === 'text' ? CANARY : type?.startsWith('json') ? JSON.stringify({ note: CANARY }) : undefined;
      // One of three words.
      if (value === undefined || `${table}.${column}` === 'approval_approvers.reason') continue;
      await service.db.query(
        sql`update ${name(table)} set ${name(column)} = ${value}::${name(type as string)} where ${ROWS_OF[table]!(person)}`,
      );
    }
  }
}

/** Every value of a personal column of the person's rows, by its column. */
async function personalValues(person: { userId: string; dids: string[] }) {
  const values = new Map<string, string[]>();
  for (const table of tables)
    for (const [column] of personalColumns(table)) {
      const rows = await service.db.query<{ value: string }>(
        sql`select ${name(column)}::text as value from ${name(table)} where ${ROWS_OF[table]!(person)} and ${name(column)} is not null`,
      );
      values.set(
        `${table}.${column}`,
        rows.map(({ value }) => value),
      );
    }
  return values;
}

/** Every row of the database that contains one of these texts. */
async function rowsWith(texts: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const table of Object.keys(COLUMNS)) {
    const rows = await service.db.query<{ row: string }>(sql`select t::text as row from ${name(table)} t`);
    for (const { row } of rows)
      for (const text of texts) if (row.includes(text)) found.push(`${table}: ${text}`);
  }
  return found;
}

const didsOf = (person: FullPerson) => [person.did, person.second.did];

it('after an erasure, no value of a personal column of the person is in any row, log line or response [POST /v1/users/:userId/erase] [erasure/erasing-a-person]', {
  tags: ['ci'],
}, async () => {
  const other = await fullPerson(service, account);
  const person = await fullPerson(service, account);
  const { userId } = person;
  const who = { userId, dids: didsOf(person) };
  await service.db.query(sql`insert into anchor_leaves (tenant_id, environment, id, kind, identity_id, first_word, second_word, salt,
      hash, created_at)
    select tenant_id, environment, gen_random_uuid(), 1, id, md5(random()::text) || md5(random()::text), commitment, md5(random()::text) || md5(random()::text), md5(random()::text) || md5(random()::text), now()
    from identities where user_id = ${userId}`);
  await service.db.query(
    sql`update devices set battery_level = 55, last_seen_at = now() where ${ROWS_OF.devices!(who)}`,
  );
  await service.db.query(
    sql`update identities set external_id = ${`${CANARY}-identity`}, attestation = '{}' where user_id = ${userId}`,
  );
  await plantCanaries(who);
  const before = await personalValues(who);
  const empty = [...before].filter(([, values]) => values.length === 0).map(([column]) => column);
  // The phone of a ceremony has no externalId.
  expect(empty).toEqual(['devices.external_id']);

  const erased = await service.call('POST', `/v1/users/${userId}/erase`, { as: eraser, body: {} });
  expect(erased.status, erased.text).toBe(200);
  const after = await personalValues(who);
  const left = [...after].filter(
    ([column, values]) => values.some((value) => !/^(Phone|)$/.test(value)) && column,
  );
  expect(left).toEqual([]);
  const texts = [...new Set([...before.values()].flat())].filter((value) => value.length >= 8);
  expect(texts.length).toBeGreaterThan(20);
  expect(await rowsWith([CANARY, ...texts])).toEqual([]);
  expect(service.logged.filter((line) => texts.some((text) => line.includes(text)))).toEqual([]);
  const shown = await service.call('GET', `/v1/users/${userId}/export`, { as: account.key });
  expect(
    [CANARY, ...texts].filter((text) => shown.text.includes(text) || erased.text.includes(text)),
  ).toEqual([]);

  const untouched = await service.call('GET', `/v1/users/${other.userId}`, { as: account.key });
  expect(untouched.body.user).toMatchObject({ ...other.profile, erasedAt: null });
});
