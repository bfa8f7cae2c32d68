// @module-tag ci: it sends about 600 proofs. Other tests have the causes that matter most
import { randomUUID } from 'node:crypto';
import * as field from '@svc/zk/field';
import { createIdentity, type PhoneIdentity } from '@svc/zk/phone';
import type { VerifierPool } from '@svc/zk/verifier/pool';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sql, sql } from '../../src/db/sql.js';
import { PhonePasskey, unknownKey } from '../support/attestation.js';
import { type CountingDatabase, countStatements, isByTimer, sharedDatabase } from '../support/database.js';
import { type Asked, type BoundUse, DOORS, type Door, proveAs } from '../support/doors.js';
import { type Person, registerPerson } from '../support/phone.js';
import { wrongProof } from '../support/proofs.js';
import { type Desk, headOf, openDesk } from '../support/recoveries.js';
import { type Reply, type Service, sharedVerifier, startService } from '../support/service.js';
import { withNewSecret } from '../support/several-phones.js';

const HEAD = `# What each endpoint that judges a proof does for each cause: status and error; slots reserved at the verifier, proofs verified,
# statements sent; then the audit events with their reasons. \`npm test -- proofs/causes -u\` writes it.`;

/** What the verifier was asked for since the last reset. */
const work = { slots: 0, verified: 0, held: 0 };

/** Counts slots, and those that are neither used nor freed. */
const counting = (pool: VerifierPool): VerifierPool => ({
  ...pool,
  reserve(source) {
    const slot = pool.reserve(source);
    if (slot === null) return null;
    work.slots += 1;
    work.held += 1;
    let isHeld = true;
    const settle = () => {
      if (isHeld) work.held -= 1;
      isHeld = false;
    };
    return {
      release() {
        settle();
        slot.release();
      },
      verify(proof) {
        settle();
        work.verified += 1;
        return slot.verify(proof);
      },
    };
  },
});

let db: CountingDatabase;
let service: Service;
let desk: Desk;
let others: Desk;
/** Asks for assertions. */
let strict: Desk;
let eraser: string;
let testKey: string;
beforeAll(async () => {
  db = countStatements((await sharedDatabase()).db);
  service = await startService({ db, verifier: counting(await sharedVerifier()) });
  [desk, others, strict] = [await openDesk(service), await openDesk(service), await openDesk(service)];
  eraser = await service.createKey(desk, 'live', ['users:erase']);
  testKey = await service.createKey(desk, 'test');
  const policy = JSON.stringify({ protect_identities: true, require_verified_attestation: true });
  await service.db.query(
    sql`update tenants set security_policy = ${policy}::jsonb where id = ${strict.tenantId}`,
  );
});
afterAll(() => service.close());

/** How a request differs from one that succeeds. */
interface Cause {
  /** Which doors it exists for. Default: all. */
  readonly at?: (door: Door) => boolean;
  readonly of?: () => Desk;
  /** Whose identity proves. Default: the person's, or the new one. */
  readonly prover?: () => Promise<PhoneIdentity>;
  /** What becomes of the identity once everything else is ready. */
  readonly before?: (person: Person) => Promise<unknown>;
  readonly secret?: (prover: PhoneIdentity) => PhoneIdentity;
  readonly use?: () => Partial<BoundUse>;
  readonly bind?: (asked: Asked, use: BoundUse) => bigint | null;
  readonly body?: (body: object, door: Door) => object;
  readonly isRepeated?: true;
}

const isRegistered = (door: Door) => door.isRegistered;
const hasUse = (door: Door) => door.hasUse;

const change = (which: (person: Person) => Sql) => (person: Person) => db.query(which(person));
const post =
  (path: string, as: () => string, bodyOf: (person: Person) => object) => async (person: Person) => {
    const reply = await service.call('POST', path.replace(':userId', person.userId), {
      as: as(),
      body: bodyOf(person),
    });
    if (reply.status !== 200) throw new Error(`${path} returned ${reply.status} ${reply.text}`);
  };

const spoil = (body: object) =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, name === 'proof' ? wrongProof(value) : value]),
  );
/** A well-formed assertion by a key that nobody has. */
function strangersAssertion(body: object): object {
  const passkey = new PhonePasskey();
  passkey.evidence(desk, randomUUID());
  passkey.keyId = unknownKey();
  const { proof, publicSignals } = body as { proof: never; publicSignals: string[] };
  return passkey.attest(desk, { purpose: 'verify', subject: randomUUID(), proof, publicSignals });
}

const CAUSES: Readonly<Record<string, Cause>> = {
  'no cause': {},
  'a wrong proof': { body: spoil, at: isRegistered },
  'a wrong commitment': { secret: (prover) => ({ ...withNewSecret(prover), did: prover.did }) },
  'an unknown identity': { prover: async () => createIdentity(), at: isRegistered },
  'a wrong bound value': { bind: (asked, use) => asked.bind(use) + 1n },
  'the DID alone': { bind: () => null },
  'another purpose': {
    bind: (asked, use) =>
      [field.identitiesBind(use), field.inboxBind(use)].find((value) => value !== asked.bind(use)) ?? null,
  },
  'another tenant': { use: () => ({ tenantId: others.tenantId }) },
  'an identity of another tenant': { prover: () => registerPerson(service, others.key), at: isRegistered },
  'another environment': { use: () => ({ environment: 'test' }) },
  'an identity of another environment': {
    prover: () => registerPerson(service, testKey),
    at: isRegistered,
  },
  'another nonce': {
    bind: (asked, use) => asked.bind({ ...use, nonce: randomUUID() }),
    at: (door) => hasUse(door) && door.hasNonce !== false,
  },
  'an old time': { use: () => ({ timestampMs: service.clock.now() - 300_001 }), at: hasUse },
  'a time ahead': { use: () => ({ timestampMs: service.clock.now() + 300_001 }), at: hasUse },
  'a replay': { isRepeated: true },
  'a revoked identity': {
    before: post(
      '/v1/identity/revoke',
      () => desk.key,
      ({ did }) => ({ did }),
    ),
    at: isRegistered,
  },
  'an identity that is not in force': {
    before: change(
      ({ did }) => sql`update identities set in_force_at = ${new Date(service.clock.now() + 1)}
        where tenant_id = ${desk.tenantId} and did = ${did}`,
    ),
    at: isRegistered,
  },
  'an inactive person': {
    before: change(
      ({ userId }) => sql`update tenant_users set status = 'inactive'
        where tenant_id = ${desk.tenantId} and id = ${userId}`,
    ),
    at: isRegistered,
  },
  'an erased person': {
    before: post(
      '/v1/users/:userId/erase',
      () => eraser,
      () => ({}),
    ),
    at: isRegistered,
  },
  'locked numbers': {
    before: change(
      ({ did }) => sql`update identities set match_locked_until = ${new Date(service.clock.now() + 1)}
        where tenant_id = ${desk.tenantId} and did = ${did}`,
    ),
    at: isRegistered,
  },
  'a missing assertion': { of: () => strict, at: isRegistered },
  'an assertion by an unknown key': {
    body: (body, { attest }) => attest?.(body, strangersAssertion(body)) ?? body,
    at: ({ attest }) => attest !== undefined,
  },
  'all together': {
    secret: (prover) => withNewSecret(prover),
    use: () => ({ tenantId: others.tenantId, timestampMs: service.clock.now() - 300_001 }),
    body: spoil,
    at: isRegistered,
  },
};

/** The reasons that were recorded, in order. */
async function recordedSince({ tenantId }: Desk, seq: number): Promise<string[]> {
  const rows = await service.db.query<{ action: string; status: string; reason: string | null }>(
    sql`select action, status, metadata ->> 'reason' as reason from audit_events
      where tenant_id = ${tenantId} and environment = 'live' and seq > ${seq} order by seq`,
  );
  return rows.map(({ action, status, reason }) => [action, status, reason].filter(Boolean).join(' '));
}

interface Observed {
  readonly reply: Reply;
  readonly line: string;
}

async function observe(door: Door, cause: Cause): Promise<Observed> {
  const at = cause.of?.() ?? desk;
  const person = await registerPerson(service, at.key);
  const asked = await door.ask(service, at, person);
  await cause.before?.(person);
  const prover = (await cause.prover?.()) ?? asked.prover ?? person;
  const scope = { tenantId: at.tenantId, environment: 'live' };
  const sent: BoundUse = {
    ...scope,
    nonce: randomUUID(),
    timestampMs: service.clock.now(),
    ...cause.use?.(),
  };
  const proved = await proveAs(
    cause.secret?.(prover) ?? prover,
    cause.bind ? cause.bind(asked, sent) : asked.bind(sent),
  );
  const body = await asked.body({ ...proved, did: prover.did }, { ...sent, ...scope });
  const bent = cause.body?.(body, door) ?? body;
  if (cause.isRepeated) await asked.send(bent);
  const seq = await headOf(service, at);
  Object.assign(work, { slots: 0, verified: 0 });
  db.statements.length = 0;
  const reply = await asked.send(bent);
  const statements = db.statements.filter((text) => !isByTimer(text));
  expect(work.held, 'slots that are still reserved').toBe(0);
  const recorded = await recordedSince(at, seq);
  const outcome = [reply.status, reply.body.error].filter(Boolean).join(' ');
  const counted = `${work.slots} ${work.verified} ${statements.length}`;
  return { reply, line: [outcome.padEnd(40), counted.padEnd(8), ...recorded].join('  ').trimEnd() };
}

const table: string[] = [];

it.each(Object.entries(DOORS))(
  '%s gives the same error for every cause that it must not tell apart',
  async (name, door) => {
    const causes = Object.entries(CAUSES).filter(([, { at }]) => at?.(door) ?? true);
    const bodies = new Map<string, object>();
    table.push(name);
    for (const [cause, bent] of causes) {
      service.clock.advance(60_000);
      const { reply, line } = await observe(door, bent);
      table.push(`  ${cause.padEnd(36)}${line}`);
      expect(cause === 'no cause' ? reply.status : door.success, reply.text).toBe(door.success);
      if (reply.status < 400) continue;
      const { requestId: _, ...body } = reply.body;
      expect(body).toEqual(bodies.get(body.error) ?? body);
      bodies.set(body.error, body);
    }
  },
);

it('refuses what the table says, after the work that it says', async () => {
  await expect([HEAD, ...table, ''].join('\n')).toMatchFileSnapshot('causes.txt');
});
