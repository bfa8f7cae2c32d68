import { sql } from '../../../server/src/db/sql.js';
import { completeCeremony } from '../../../server/test/support/ceremony.js';
import type { Account, Service } from '../../../server/test/support/service.js';
import { signUpFixed } from './northwind.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const FIRST =
  'Amara Bjørn Chiara Dmitri Elif Farah Gustav Hana Imran Jonas Keiko Lucía Mateo Noor Olga Priya Quentin Rosa Sven Tara';
const LAST = 'Abebe Bianchi Costa Dubois Eriksen Fischer García Haddad Ivanova Jansen Kowalski Lindqvist';
const PLACES = [
  ['Reception', 'desktop'],
  ['Main entrance', 'kiosk'],
  ['Time clock, hall 2', 'kiosk'],
  ['Warehouse gate', 'kiosk'],
  ['Office, first floor', 'desktop'],
] as const;
const REASONS = ['expired', 'wrong_number', 'stale', 'expired', 'unknown_identity'];

/** How many of 100 sign-ins of a day happen in each hour, from midnight. Most people arrive between seven and nine. */
const HOURS = [1, 1, 0, 1, 2, 4, 9, 15, 17, 9, 6, 5, 7, 6, 4, 3, 3, 2, 1, 1, 1, 1, 1, 0];
const [WORKDAY, WEEKEND] = [620, 70];

/** Numbers from 0 to 1 that are the same in every run. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 0x7fffffff;
    return state / 0x7fffffff;
  };
}

/** The id that a record of this time has: its milliseconds first, so that ids have the order of time. */
function idAt(time: number, count: number): string {
  const hex =
    time.toString(16).padStart(12, '0') +
    (0x7000_8000_0000).toString(16) +
    count.toString(16).padStart(8, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * A company of 240 people at five places, with two weeks of sign-ins up to now. For pictures that show the product as it looks in
 * daily use. All of it is the same in every run.
 */
export async function seedBusyCompany(service: Service): Promise<Account> {
  const account = await signUpFixed(service, 'ada@northwind.example', 'Northwind Traders');
  await service.call('PUT', '/api/console/profile', { as: account.token, body: { accentColor: '#1f5fae' } });
  const create = async (path: string, body: object): Promise<Record<string, { id: string }>> =>
    (await service.call('POST', path, { as: account.key, body })).body;
  const devices: string[] = [];
  for (const [name, deviceType] of PLACES)
    devices.push((await create('/v1/devices', { name, deviceType })).device!.id);
  const people: string[] = [];
  for (const last of LAST.split(' '))
    for (const first of FIRST.split(' '))
      people.push((await create('/v1/users', { fullName: `${first} ${last}` })).user!.id);
  for (const table of ['tenants', 'devices', 'tenant_users'])
    await service.db.query({
      text: `update ${table} set created_at = created_at - interval '90 days'`,
      values: [],
    });
  for (const fullName of ['Elif Haddad-Fischer', 'Jonas Oyelaran', 'Rosa Lindgren'])
    await completeCeremony(service, account, { profile: { fullName } });
  await addSignIns(service, account, people, devices);
  return account;
}

async function addSignIns(
  service: Service,
  { tenantId }: Account,
  people: string[],
  devices: string[],
): Promise<void> {
  const now = service.clock.now();
  const today = now - (now % DAY_MS);
  const next = sequence(7);
  const times = Array.from({ length: 14 }, (_, back) => {
    const start = today - back * DAY_MS;
    const perDay = [0, 6].includes(new Date(start).getUTCDay()) ? WEEKEND : WORKDAY;
    return HOURS.flatMap((share, hour) =>
      Array.from(
        { length: Math.round((share * perDay * (0.9 + next() * 0.2)) / 100) },
        () => start + (hour + next()) * HOUR_MS,
      ),
    );
  }).flat();
  const rows = times
    .filter((time) => time < now)
    .sort((left, right) => left - right)
    .map((time, at) => {
      const result = next() < (time < today ? 0.023 : 0.01) ? 'fail' : 'pass';
      return {
        id: idAt(Math.floor(time), at),
        result,
        reason: result === 'fail' ? REASONS[at % REASONS.length] : null,
        person: people[Math.floor(next() * people.length)],
        device: devices[Math.floor(next() ** 1.4 * devices.length)],
        at: new Date(time).toISOString(),
      };
    });
  await service.db.query(sql`insert into verifications (tenant_id, environment, id, method, result, reason, user_id, device_id, occurred_at, created_at)
    select ${tenantId}, 'live', id, 'zkp', result, reason, person, device, at, at
    from json_to_recordset(${JSON.stringify(rows)}::json) as rows (id uuid, result text, reason text, person uuid, device uuid, at timestamptz)`);
}
