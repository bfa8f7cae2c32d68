// @module-tag not-on-citus: reads the plans of a plain PostgreSQL
import pg from 'pg';
import type { TSchema } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import type { RawDatabase } from '../../src/db/db.js';
import type { Sql } from '../../src/db/sql.js';
import type { Route } from '../../src/http/route.js';
import { openCeremony } from '../support/ceremony.js';
import { addRecord, exampleOf, isKeyed, keyOf, nameOf } from '../support/contract/examples.js';
import { freshDatabase } from '../support/database.js';
import { createClient } from '../support/oidc-clients.js';
import { openPairing } from '../support/pairing.js';
import { registerPerson } from '../support/phone.js';
import { explain, isRead } from '../support/plans/explain.js';
import { fillOther, NOT_FILLED } from '../support/plans/fill.js';
import { type Account, type Service, startService } from '../support/service.js';

/** Rows of the large account in each table. `PLAN_ROWS=2000000` takes hours and finds no more. */
const ROWS = Number(process.env.PLAN_ROWS ?? 20_000);
/** With two accounts, PostgreSQL expects half of a table for any account, and rightly reads all of it. */
const SMALL_ACCOUNTS = 30;
/** More rows than the small account has in all tables of a statement, and fewer than the large one has in any. */
const MAX_ROWS = 1_000;
const MAX_BUFFERS = 1_500;

let service: Service;
let account: Account;
let client: pg.Client;
let missing: readonly string[];
/** Statements since the last reset. */
const sent: Sql[] = [];

const recording = (db: RawDatabase): RawDatabase => ({
  ...db,
  query: (statement) => {
    sent.push(statement);
    return db.query(statement);
  },
  read: (state, statements) => {
    sent.push(...statements);
    return db.read(state, statements);
  },
});

const routes = routesOf('0.0.0-test').filter((route) => route.method === 'GET');
const propertiesOf = (route: Route) =>
  (route.schemas?.query as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {};
const lists = routes.filter((route) => 'cursor' in propertiesOf(route) && route.auth.kind !== 'admin');

beforeAll(async () => {
  const { db, url } = await freshDatabase('postgres');
  service = await startService({ db: recording(db), env: { PLAN_WINDOW_MULTIPLIER: '1000' } });
  account = await service.signUp({ plan: 'enterprise' });
  for (const list of lists.filter(isKeyed))
    await addRecord(list, { service, account }).catch(() => undefined);
  await openCeremony(service, account);
  await openPairing(service, account.key);
  await registerPerson(service, account.key);
  await createClient(service, account);
  for (let at = 0; at < SMALL_ACCOUNTS; at += 1) {
    const { key } = await service.signUp({ plan: 'enterprise' });
    await service.call('POST', '/v1/users', { as: key, body: { fullName: 'Ada' } });
    await service.call('POST', '/v1/devices', { as: key, body: { name: 'Gate' } });
  }
  const other = await service.signUp({ plan: 'enterprise' });
  client = new pg.Client({ connectionString: url });
  await client.connect();
  missing = await fillOther(client, { from: account.tenantId, to: other.tenantId, rows: ROWS });
}, 600_000);
afterAll(async () => {
  await client?.end();
  await service?.close();
  await service?.db.close();
});

/** The values of a filter: each of few, or the one of its example. */
function valuesOf(schema: TSchema): readonly string[] {
  const {
    enum: choices,
    examples,
    anyOf,
  } = schema as {
    enum?: readonly unknown[];
    examples?: readonly unknown[];
    anyOf?: readonly TSchema[];
  };
  if (choices) return choices.map(String);
  if (examples) return examples.slice(0, 1).map(String);
  return (anyOf ?? []).flatMap(valuesOf);
}

const NO_FILTERS = ['cursor', 'limit', 'environment', 'sort', 'include', 'format'];

/** Queries with each filter alone, in each order. */
function queriesOf(route: Route): readonly Record<string, string>[] {
  const properties = propertiesOf(route);
  const filters = Object.entries(properties).filter(([name]) => !NO_FILTERS.includes(name));
  const filtered = [
    {},
    ...filters.flatMap(([name, schema]) => valuesOf(schema).map((value) => ({ [name]: value }))),
  ];
  const sorts = 'sort' in properties ? valuesOf(properties.sort as TSchema) : [];
  const include =
    'include' in properties ? { include: valuesOf(properties.include as TSchema)[0] as string } : {};
  return filtered.flatMap((filter) => [
    { ...filter, ...include },
    ...sorts.map((sort) => ({ ...filter, sort, ...include })),
  ]);
}

/** The statements of a request that read, each once. */
async function statementsOf(request: () => Promise<{ readonly status: number }>): Promise<readonly Sql[]> {
  sent.length = 0;
  await request();
  return [...new Map(sent.filter(isRead).map((statement) => [statement.text, statement])).values()];
}

/**
 * Lists that read only the small account's rows when planned for its values. Planned for any values, they may read more, which PostgreSQL
 * does only if it expects that to cost no more.
 */
const ONLY_FOR_VALUES = new Set(['GET /v1/users', 'GET /v1/approvals', 'GET /v1/proof-pairing/sessions']);

const explained = new Set<string>();

async function faultsOf(route: string, name: string, statements: readonly Sql[]): Promise<string[]> {
  const faults: string[] = [];
  for (const statement of statements) {
    if (explained.has(statement.text)) continue;
    explained.add(statement.text);
    for (const { mode, rows, buffers, scans } of await explain(client, statement))
      if ((rows > MAX_ROWS || buffers > MAX_BUFFERS) && !(mode === 'generic' && ONLY_FOR_VALUES.has(route)))
        faults.push(
          `${name} (${mode}): ${rows} rows, ${buffers} buffers: ${scans.join(', ')}\n${statement.text}`,
        );
  }
  return faults;
}

describe('what another account has', () => {
  it('fills every table but those that are named with a reason [D12.290]', () => {
    expect(missing.filter((table) => !(table in NOT_FILLED))).toEqual([]);
  });

  it.each(lists.map((route) => [nameOf(route), route] as const))(
    '%s reads none of it, with any filter and in any order [D12.290]',
    async (name, route) => {
      const stage = { service, account };
      const prepared = await exampleOf(route)(stage);
      const [path = route.path, own = ''] = (prepared.path ?? route.path).split('?');
      const as = route.auth.kind === 'console' ? account.token : await keyOf(route, stage);
      const base = await service.call('GET', prepared.path ?? route.path, { as });
      expect(base.status, base.text).toBe(200);
      const faults: string[] = [];
      for (const query of queriesOf(route)) {
        const search = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(own)), ...query });
        const first = async () => {
          const reply = await service.call('GET', `${path}?${search}`, { as });
          const next = reply.body?.nextCursor;
          return next ? service.call('GET', `${path}?${search}&cursor=${next}`, { as }) : reply;
        };
        faults.push(...(await faultsOf(name, `${name} ${search}`, await statementsOf(first))));
      }
      expect(faults).toEqual([]);
    },
  );
});
