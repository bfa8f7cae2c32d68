// @module-tag ci: plans of every list, with many rows of others
// @module-tag not-on-citus: reads the plans of a plain PostgreSQL
import pg from 'pg';
import type { TSchema } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import type { RawDatabase } from '../../src/db/db.js';
import type { Sql } from '../../src/db/sql.js';
import type { Route } from '../../src/http/route.js';
import { openCeremony } from '../support/ceremony.js';
import { addRecord, exampleOf, isKeyed, nameOf, type Prepared, send } from '../support/contract/examples.js';
import { freshDatabase } from '../support/database.js';
import { createClient } from '../support/oidc-clients.js';
import { openPairing } from '../support/pairing.js';
import { type Cost, explain, isRead } from '../support/plans/explain.js';
import { fillOther, NOT_FILLED } from '../support/plans/fill.js';
import { type Account, type Reply, type Service, startService } from '../support/service.js';

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

/** What is read of several accounts together. */
const OF_ALL_ACCOUNTS = [
  'GET /api/admin/stats',
  'GET /api/admin/privacy-audit',
  'GET /api/admin/blockchain',
  'GET /api/leads',
  // With a blockchain, it compares the anchors of all accounts.
  'GET /api/admin/audit-integrity',
  // Reads the whole batch of a leaf, which has leaves of many accounts.
  'GET /v1/anchors/proof',
];

const routes = routesOf('0.0.0-test').filter(
  (route) => route.method === 'GET' && !OF_ALL_ACCOUNTS.includes(nameOf(route)),
);
const propertiesOf = (route: Route) =>
  (route.schemas?.query as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {};
const lists = routes.filter((route) => 'cursor' in propertiesOf(route));
/** The request of each route that succeeds, prepared before the tables are filled. */
const requests = new Map<Route, Prepared>();

beforeAll(async () => {
  const { db, url } = await freshDatabase('postgres');
  service = await startService({ db: recording(db), env: { PLAN_WINDOW_MULTIPLIER: '1000' } });
  account = await service.signUp({ plan: 'enterprise' });
  for (const list of lists.filter(isKeyed))
    await addRecord(list, { service, account }).catch(() => undefined);
  await openCeremony(service, account);
  await openPairing(service, account.key);
  await createClient(service, account);
  for (const route of routes) requests.set(route, await exampleOf(route)({ service, account }));
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

const NO_FILTERS = ['cursor', 'limit', 'environment', 'sort', 'include', 'format', 'wait'];

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
async function statementsOf(request: () => Promise<void>): Promise<readonly Sql[]> {
  sent.length = 0;
  await request();
  return [...new Map(sent.filter(isRead).map((statement) => [shapeOf(statement), statement])).values()];
}

/**
 * Planned for any values, a statement of these may read more than the small account's rows: few accounts have rows in one of its tables,
 * so PostgreSQL expects half of the table for any account. It uses such a plan only if it expects that to cost no more.
 */
const ONLY_FOR_VALUES = new Set([
  'GET /api/console/passkeys',
  'GET /api/console/security-policy/reach',
  'GET /api/console/requests/rejected',
  'GET /api/console/sessions',
  'GET /v1/users',
  'GET /v1/users/:userId/export',
  'GET /v1/anchors',
  'GET /v1/proof-pairing/sessions',
]);

const explained = new Set<string>();

/** A statement, and the values that are the same in each request, such as those of a filter. */
const shapeOf = ({ text, values }: Sql): string =>
  JSON.stringify([text, values.filter((value) => typeof value === 'string' && /^[a-z_]+$/i.test(value))]);

async function faultsOf(route: string, name: string, statements: readonly Sql[]): Promise<string[]> {
  const faults: string[] = [];
  for (const statement of statements) {
    const shape = shapeOf(statement);
    if (explained.has(shape)) continue;
    explained.add(shape);
    let tooMuch = (await explain(client, statement)).filter((plan) => readsTooMuch(plan, route));
    // PostgreSQL may have counted a table while it was being filled.
    if (tooMuch.length > 0) {
      await client.query('analyze');
      tooMuch = (await explain(client, statement)).filter((plan) => readsTooMuch(plan, route));
    }
    for (const { mode, rows, buffers, scans } of tooMuch)
      faults.push(
        `${name} (${mode}): ${rows} rows, ${buffers} buffers: ${scans.join(', ')}\n${statement.text}`,
      );
  }
  return faults;
}

const readsTooMuch = ({ mode, rows, buffers }: Cost, route: string) =>
  (rows > MAX_ROWS || buffers > MAX_BUFFERS) && !(mode === 'generic' && ONLY_FOR_VALUES.has(route));

describe('what another account has', () => {
  it('fills every table but those that are named with a reason [audit/filtered-pages]', () => {
    expect(missing.filter((table) => !(table in NOT_FILLED))).toEqual([]);
  });

  it.each(routes.map((route) => [nameOf(route), route] as const))(
    '%s reads none of it, with any filter and in any order [audit/filtered-pages]',
    async (name, route) => {
      const prepared = requests.get(route) as Prepared;
      const [path = route.path, own = ''] = (prepared.path ?? route.path).split('?');
      const open = (query: object) => {
        const search = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(own)), ...query });
        const to = search.size === 0 ? path : `${path}?${search}`;
        return send(route, { service, account }, { prepared: { ...prepared, path: to } });
      };
      let reply: Reply | undefined;
      const base = await statementsOf(async () => {
        reply = await open({});
      });
      expect(reply?.status, reply?.text).toBeLessThan(400);
      const faults = await faultsOf(name, name, base);
      for (const query of queriesOf(route)) {
        const pages = async () => {
          const { body } = await open(query);
          if (body?.nextCursor) await open({ ...query, cursor: body.nextCursor });
        };
        faults.push(
          ...(await faultsOf(name, `${name} ${new URLSearchParams(query)}`, await statementsOf(pages))),
        );
      }
      expect(faults).toEqual([]);
    },
  );
});
