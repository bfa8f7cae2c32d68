import { createHash } from 'node:crypto';
import { bytesToBigInt, commitmentToHex } from '@svc/zk/field';
import { didOf, type PhoneIdentity } from '@svc/zk/phone';
import { poseidon2 } from '@svc/zk/poseidon';
import type { Random } from '../../../server/src/base/crypto/random.js';
import { sql } from '../../../server/src/db/sql.js';
import {
  type Ceremony,
  commit,
  completeBody,
  openCeremony,
  pair,
  phone,
} from '../../../server/test/support/ceremony.js';
import { openPairing, proveForPairing, submit } from '../../../server/test/support/pairing.js';
import type { Account, Service } from '../../../server/test/support/service.js';

const HOUR_MS = 3_600_000;

/** The digest of a counter: the same sequence of bytes in every run, and a new one after each `restart` with another name. */
export function fixedRandom(start: string): Random & { restart(name: string): void } {
  let seed = start;
  let calls = 0;
  return {
    restart(name) {
      seed = `${start} ${name}`;
      calls = 0;
    },
    bytes(size) {
      const blocks = Array.from({ length: Math.ceil(size / 32) }, (_, block) =>
        createHash('sha256').update(`${seed} ${calls} ${block}`).digest(),
      );
      calls += 1;
      return Buffer.concat(blocks).subarray(0, size);
    },
  };
}

const PEOPLE = [
  'Ada Lovelace',
  'Grace Hopper',
  'Alan Turing',
  'Katherine Johnson',
  'Margaret Hamilton',
  'Barbara Liskov',
  'Radia Perlman',
  'Frances Allen',
  'Edsger Dijkstra',
  'Donald Knuth',
  'Hedy Lamarr',
  'Annie Easley',
  'John McCarthy',
  'Shafi Goldwasser',
  'Silvio Micali',
  'Leslie Lamport',
  'Adele Goldberg',
  'Karen Spärck Jones',
  'Sophie Wilson',
  'Evelyn Boyd Granville',
  'عبد الله بن محمد',
  'Wolfeschlegelsteinhausenbergerdorff Longname',
];
const DOORS = [
  'Front door',
  'Warehouse gate',
  'Reception tablet',
  'Lab entrance',
  'Loading bay',
  'Back office',
];

/** A company with people, devices and two days of events. All of it is the same in every run. */
export interface Northwind extends Account {
  readonly testKey: string;
  readonly deviceId: string;
  readonly verificationId: string;
  readonly completed: Registered;
}

export interface Registered extends Ceremony {
  readonly userId: string;
}

type Post = (path: string, body: object, as?: string) => Promise<Record<string, { id: string; key: string }>>;

function poster(service: Service, key: string): Post {
  return async (path, body, as = key) => {
    const reply = await service.call('POST', path, { as, body });
    if (reply.status >= 300) throw new Error(`${path} returned ${reply.status} ${reply.text}`);
    return reply.body;
  };
}

export async function signUpFixed(service: Service, email: string, companyName: string): Promise<Account> {
  const password = 'correct horse 7 battery staple';
  const body = { email, password, companyName };
  const { body: made } = await service.call('POST', '/api/console/signup', { body });
  await service.db.query(sql`update tenants set plan = 'enterprise' where id = ${made.tenant.id}`);
  const { id: keyId, key } = made.apiKey;
  return { tenantId: made.tenant.id, email, password, token: made.token, key, keyId };
}

/** The service must have a fixed clock and `fixedRandom`. Its clock moves forward by two days. */
export async function seedNorthwind(service: Service, email = 'ada@northwind.example'): Promise<Northwind> {
  const account = await signUpFixed(service, email, 'Northwind Traders');
  const post = poster(service, account.key);
  const testKey = await service.createKey(account, 'test');
  await service.call('PUT', '/api/console/profile', { as: account.token, body: { accentColor: '#1f6f5c' } });
  const devices: string[] = [];
  for (const [at, name] of DOORS.entries()) {
    const body = { name, deviceType: at % 3 === 2 ? 'desktop' : 'kiosk', locationId: `site-${(at % 3) + 1}` };
    devices.push((await post('/v1/devices', body)).device!.id);
    if (at === 0) await post('/v1/devices', { ...body, name: 'Test door' }, testKey);
  }
  const people: string[] = [];
  for (const [at, fullName] of PEOPLE.entries()) {
    const email = `person${at}@northwind.example`;
    const body = { fullName, email, externalId: `nw-${1000 + at}`, employeeCode: `E${100 + at}` };
    people.push((await post('/v1/users', body)).user!.id);
    if (at < 3) await post('/v1/users', body, testKey);
    service.clock.advance(HOUR_MS / 10);
  }
  const completed = await registered(service, account);
  await signIn(service, account, completed);
  let verificationId = '';
  for (let at = 0; at < 66; at++) {
    service.clock.advance(HOUR_MS * 0.7);
    const event = { userId: people[(at * 5) % 22], deviceId: devices[at % 6] };
    const result = at % 7 === 3 ? 'fail' : 'pass';
    const reason = result === 'fail' ? { reason: 'The badge and the face did not match' } : {};
    const body = { ...event, ...reason, method: 'manual', result, referenceId: `shift-${at}` };
    verificationId = (await post('/v1/verifications', body)).verification!.id;
    if (result === 'pass')
      await post('/v1/attendance', { ...event, verificationId, type: at % 2 ? 'check_out' : 'check_in' });
  }
  await service.call('GET', '/v1/users/00000000-0000-7000-8000-000000000000', { as: account.key });
  await service.call('GET', '/v1/users?limit=9999', { as: account.key });
  await addEarlierDays(service, account);
  await fixFigures(service, account);
  // The first session has ended.
  const { password } = account;
  const { body } = await service.call('POST', '/api/console/login', { body: { email, password } });
  return { ...account, token: body.token, testKey, deviceId: devices[0]!, verificationId, completed };
}

/** Registers a person with a phone. What a ceremony chooses at random is fixed here. */
async function registered(service: Service, account: Account): Promise<Registered> {
  const profile = { fullName: 'Dorothy Vaughan', email: 'dorothy@northwind.example', externalId: 'nw-1022' };
  const opened = await openCeremony(service, account, { profile, identity: identityOf('dorothy') });
  const c = { ...opened, fingerprint: 'fp:00000000-0000-4000-8000-000000000001' };
  await pair(service, c);
  await commit(service, c);
  const { body } = await phone(service, 'complete', await completeBody(c));
  return { ...c, userId: body.tenant_user.id };
}

/** Signs a desktop in with the phone, so that the overview no longer shows the first steps. */
async function signIn(service: Service, account: Account, { identity }: Registered): Promise<void> {
  const key = await service.createKey(account, 'live', ['proof_pairing:claim']);
  for (let times = 0; times < 2; times++) {
    const { id, nonce } = await openPairing(service, account.key);
    const use = { tenantId: account.tenantId, sessionId: id, nonce };
    const reply = await submit(service, key, id, await proveForPairing(identity, use));
    if (reply.status !== 200) throw new Error(`submitting returned ${reply.status} ${reply.text}`);
    service.clock.advance(HOUR_MS);
  }
}

function identityOf(name: string): PhoneIdentity {
  const secret = (of: string) =>
    bytesToBigInt(new Uint8Array(createHash('sha256').update(`${name} ${of}`).digest().subarray(0, 31)));
  const [biometricSecret, salt] = [secret('secret'), secret('salt')];
  const commitment = commitmentToHex(poseidon2(biometricSecret, salt));
  return { biometricSecret, salt, commitment, did: didOf(commitment) };
}

/** Verifications of the twelve days before, which the overview draws. Their ids are older than all others. */
const addEarlierDays = (service: Service, { tenantId }: Account) =>
  service.db.query(sql`insert into verifications (tenant_id, environment, id, method, result, occurred_at, created_at)
    select ${tenantId}, 'live', ('00000000-0000-7000-8000-' || lpad(to_hex(row_number() over (order by at)), 12, '0'))::uuid,
      'zkp', case when (n * 5 + day) % 23 = 0 then 'fail' when (n * 7 + day) % 31 = 0 then 'challenge' else 'pass' end, at, at
    from generate_series(3, 14) as day, generate_series(1, 34 + (day * 37) % 19) as n,
      lateral (select ${new Date(service.clock.now())}::timestamptz - day * interval '1 day' - n * interval '7 minutes' as at) as t`);

/** Durations are measured with the machine's clock. Replaces those that pages show, and the calls by hour. */
async function fixFigures(service: Service, { tenantId, keyId }: Account): Promise<void> {
  await service.app.deps.meter.flush();
  await service.db.query(
    sql`update recent_calls set duration_ms = 3 + (extract(epoch from called_at)::bigint / 7) % 23 where tenant_id = ${tenantId}`,
  );
  await service.db.query(sql`delete from usage_hours where tenant_id = ${tenantId}`);
  const now = new Date(service.clock.now()).toISOString();
  await service.db.query(sql`insert into usage_hours
    select ${tenantId}, 'live', hour, endpoint, status, ${keyId}, 0, n / 9, n / 2, n / 3, n / 5, n / 9, n / 20, n / 40, 0, 0, 0, 0, 0, 0, 0, 0
    from (select date_trunc('hour', ${now}::timestamptz) - back * interval '1 hour' as hour, endpoint, status,
        (share * (60 + 45 * sin((back + 3) * 0.2618) + (back * 37) % 29))::int as n
      from generate_series(0, 30 * 24) as back,
        (values ('POST /v1/verifications', 201, 1.0), ('POST /v1/identity/verify', 200, 0.5), ('GET /v1/users', 200, 0.4), ('POST /v1/attendance', 201, 0.7),
          ('POST /v1/verifications', 422, 0.06)) as kinds (endpoint, status, share)) as hours
    where n > 0`);
}
