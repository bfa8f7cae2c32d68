import { randomUUID } from 'node:crypto';
import { didHash } from '@svc/zk/field';
import { createIdentity } from '@svc/zk/phone';
import fc from 'fast-check';
import { expect } from 'vitest';
import { DatabaseUnavailableError, type RawDatabase } from '../../../src/db/db.js';
import { openPostgres } from '../../../src/db/pg.js';
import { sql } from '../../../src/db/sql.js';
import { expireSessions } from '../../../src/features/registrations/registrations.js';
import { deleteExpired } from '../../../src/jobs.js';
import { type DatabaseKind, freshDatabase } from '../database.js';
import { openPgProxy } from '../faults/pg-proxy.js';
import {
  type Account,
  ADMIN_KEY,
  type ManualClock,
  manualClock,
  type Reply,
  type Service,
  sharedProver,
  startService,
} from '../service.js';
import { type Choice, choose, OPERATIONS } from './operations.js';
import { Dice, type Plan, type Prediction, type Scene } from './plan.js';
import { HOUR, MINUTE, type Prepared, type Space, type Tenant, World } from './world.js';

/** A single move: an operation of a client on a node, a step of the clock, or housekeeping. */
export interface Move {
  readonly what: string;
  readonly space: number;
  readonly node: number;
  readonly rolls: readonly number[];
  /** Sent to both nodes simultaneously. */
  readonly twice: boolean;
  /** Whether the connection is lost at the commit: before the database receives it, or before the service gets the result. */
  readonly fault: 'none' | 'before' | 'after';
}

const STEPS_MS = [1, 1_000, MINUTE, MINUTE + 1, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR];

/** Makes the next COMMIT fail. The returned function cancels this and returns whether it happened. */
type CutAtCommit = (when: 'before' | 'after') => () => boolean;

interface Node {
  readonly service: Service;
  readonly cutAtCommit: CutAtCommit;
}

/** The service under test: two nodes on PostgreSQL, or one on the embedded database. */
export interface Stage {
  readonly clock: ManualClock;
  readonly nodes: readonly Node[];
  readonly people: readonly Prepared[];
  /** The number of lost commits. */
  cuts: number;
  /** The number of responses by operation and status. */
  readonly outcomes: Map<string, number>;
  close(): Promise<void>;
}

const SHRINK_MINUTES = 10;
const ENV = { DEFAULT_PLAN: 'enterprise', PLAN_WINDOW_MULTIPLIER: '1000' };

async function openStage(kind: DatabaseKind): Promise<Stage> {
  const { db, url } = await freshDatabase(kind);
  const clock = manualClock();
  const people = await Promise.all(Array.from({ length: 4 }, prepare));
  const closing: (() => unknown)[] = [() => db.close()];
  const nodes: Node[] = [];
  if (url === undefined) {
    const { database, cutAtCommit } = failingCommits(db);
    nodes.push({ service: await startService({ db: database, clock, env: ENV }), cutAtCommit });
  } else {
    for (const _ of ['one', 'two']) {
      const proxy = await openPgProxy(url);
      const own = openPostgres({ url: proxy.url });
      const service = await startService({ db: own, clock, env: ENV });
      nodes.push({ service, cutAtCommit: proxy.cutAtCommit });
      closing.unshift(
        () => own.close(),
        () => proxy.close(),
      );
    }
  }
  return {
    clock,
    nodes,
    people,
    cuts: 0,
    outcomes: new Map(),
    async close() {
      for (const { service } of nodes) await service.close();
      for (const end of closing) await end();
    },
  };
}

async function prepare(): Promise<Prepared> {
  const phone = createIdentity();
  const { biometricSecret, salt, did } = phone;
  const proof = await (await sharedProver()).prove({ biometricSecret, salt, didHash: didHash(did) });
  return { phone, proof };
}

/** Simulates a lost connection on the embedded database, which has none, by a failing commit. */
function failingCommits(db: RawDatabase): { database: RawDatabase; cutAtCommit: CutAtCommit } {
  let order: 'before' | 'after' | undefined;
  const lose = (): never => {
    order = undefined;
    throw new DatabaseUnavailableError('lost');
  };
  const database: RawDatabase = {
    ...db,
    async begin() {
      const tx = await db.begin();
      return {
        ...tx,
        async commit(statements) {
          if (order === 'before') lose();
          await tx.commit(statements);
          if (order === 'after') lose();
        },
      };
    },
  };
  const cutAtCommit: CutAtCommit = (when) => {
    order = when;
    return () => {
      const happened = order === undefined;
      order = undefined;
      return happened;
    };
  };
  return { database, cutAtCommit };
}

function moves(maxMoves: number): fc.Arbitrary<Move[]> {
  const weighted = [
    ...Object.entries(OPERATIONS).map(([what, { weight }]) => ({ weight, arbitrary: fc.constant(what) })),
    { weight: 6, arbitrary: fc.constant('wait') },
    { weight: 2, arbitrary: fc.constant('housekeeping') },
  ];
  const move = fc.record<Move>({
    what: fc.oneof(...weighted),
    // Usually the first account, so that operations meet existing records.
    space: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(5) }),
    node: fc.nat(1),
    rolls: fc.array(fc.nat(59), { minLength: 10, maxLength: 10 }),
    twice: fc.oneof(
      { weight: 7, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
    fault: fc.oneof(
      { weight: 16, arbitrary: fc.constant('none' as const) },
      { weight: 1, arbitrary: fc.constant('before' as const) },
      { weight: 1, arbitrary: fc.constant('after' as const) },
    ),
  });
  return fc.array(move, { minLength: 1, maxLength: maxMoves, size: 'max' });
}

/** Runs a sequence on new accounts, and compares every response, and at the end all records, with the model. */
async function play(stage: Stage, sequence: readonly Move[]): Promise<void> {
  // Earlier sequences have used up the rate limits of the addresses.
  stage.clock.advance(HOUR);
  const world = await openWorld(stage);
  for (const [at, move] of sequence.entries()) {
    try {
      await step(stage, world, move);
    } catch (error) {
      throw new Error(`Move ${at}, ${JSON.stringify(move)}: ${(error as Error).message}`, { cause: error });
    }
  }
  await compareAll(stage, world);
}

async function openWorld({ nodes, clock, people }: Stage): Promise<World> {
  const { service } = nodes[0] as Node;
  const tenants: Tenant[] = [];
  const accounts: Account[] = await Promise.all([1, 2, 3].map(() => service.signUp({ plan: 'enterprise' })));
  for (const [at, account] of accounts.entries()) {
    const { tenantId: id, token, key, keyId } = account;
    const created = await service.call('POST', '/api/console/keys', {
      as: token,
      body: { name: 'Test', environment: 'test' },
    });
    const test = created.body.apiKey as { id: string; key: string };
    const allowsUnboundProofs = at < 2;
    if (allowsUnboundProofs)
      await service.call('PUT', '/api/console/security-policy', {
        as: token,
        body: { security_policy: { allow_unbound_proofs: true } },
      });
    const forever = { expiresAt: null, revoked: false };
    const keys = [
      { id: keyId, raw: key, environment: 'live' as const, ...forever },
      { id: test.id, raw: test.key, environment: 'test' as const, ...forever },
    ];
    const tokenExpiresAt = Math.floor(clock.now() / 1000) * 1000 + 24 * HOUR;
    // The policy of a new account protects identities, and this one replaced it.
    const protectsIdentities = !allowsUnboundProofs;
    tenants.push({ id, token, tokenExpiresAt, keys, allowsUnboundProofs, protectsIdentities });
  }
  const world = new World(tenants, people, randomUUID(), clock.now);
  for (const space of world.spaces) {
    const isLive = space.environment === 'live';
    const began = isLive ? ['tenant.created', 'api_key.created'] : ['api_key.created'];
    if (isLive && space.tenant.allowsUnboundProofs) began.push('tenant.security_policy_replaced');
    for (const action of began) space.audit.push({ action, status: 'success' });
  }
  return world;
}

async function step(stage: Stage, world: World, move: Move): Promise<void> {
  const { nodes, clock } = stage;
  const node = nodes[move.node % nodes.length] as Node;
  const dice = new Dice(move.rolls);
  if (move.what === 'wait') return clock.advance(STEPS_MS[dice.below(STEPS_MS.length)] as number);
  if (move.what === 'housekeeping') {
    await runHousekeeping(node, world);
    return compareHeads(node, world);
  }
  const space = world.spaces[move.space % world.spaces.length] as Space;
  const scene: Scene = { world, space, dice, service: node.service };
  const what = choose(move.what, scene);
  const plan = await (OPERATIONS[what] as Choice).operation(scene);
  const asked = `${what} ${plan.predict().status}`;
  stage.outcomes.set(asked, (stage.outcomes.get(asked) ?? 0) + 1);
  if (move.fault !== 'none') await sendWithFault(stage, node, plan, move.fault);
  else if (move.twice && plan.canBeConcurrent) {
    const other = nodes[(move.node + 1) % nodes.length] as Node;
    await sendTwice(world, [node, other], plan);
  } else applyReply(await send(node, plan), plan.predict());
  await compareHeads(node, world);
}

/** Deletes expired rows and closes expired ceremonies. The only visible effect is that an old nonce can be used again. */
async function runHousekeeping({ service }: Node, world: World): Promise<void> {
  await deleteExpired(service.app.deps);
  await expireSessions(service.app.deps);
  for (const { nonces } of world.spaces)
    for (const [nonce, retainedUntil] of nonces) if (retainedUntil < world.now()) nonces.delete(nonce);
  const overdue = world.registrations
    .filter((registration) => world.stateOf(registration) !== registration.state)
    .sort((left, right) => left.expiresAt - right.expiresAt);
  for (const registration of overdue) {
    world.closeRegistration(registration, 'expired');
    registration.space.audit.push({ action: 'registration.expired', status: 'success' });
  }
}

const send = ({ service }: Node, { method, path, as, body, headers, address }: Plan): Promise<Reply> =>
  service.call(method, path, {
    ...(as !== undefined && { as }),
    ...(body !== undefined && { body }),
    ...(headers && { headers }),
    ...(address && { address }),
  });

function agrees(reply: Reply, { status, error }: Prediction): boolean {
  const errors = typeof error === 'object' ? error : [error];
  return reply.status === status && (status < 300 || errors.includes(reply.body.error));
}

/** Compares a response with the prediction and updates the world. */
function applyReply(reply: Reply, prediction: Prediction): void {
  const { status, error, expectedBody, replayed, apply } = prediction;
  if (!agrees(reply, prediction)) {
    throw new Error(`returned ${reply.status} ${reply.text}, expected ${status} ${String(error ?? '')}`);
  }
  expect(reply.headers['idempotent-replayed']).toBe(replayed && 'true');
  if (expectedBody) expect(reply.body).toMatchObject(expectedBody);
  const cookie = String(reply.headers['set-cookie'] ?? '').split(';')[0];
  apply?.({ ...reply.body, cookie });
}

/** Two simultaneous equal requests must have the same result as two sequential ones, in either order. */
async function sendTwice(world: World, nodes: readonly [Node, Node], plan: Plan): Promise<void> {
  const lengths = world.spaces.map(({ audit }) => audit.length);
  const replies = await Promise.all(nodes.map((node) => send(node, plan)));
  const prediction = plan.predict();
  const first = replies.findIndex((reply) => agrees(reply, prediction));
  applyReply((replies[first] ?? replies[0]) as Reply, prediction);
  applyReply(replies[first === 1 ? 0 : 1] as Reply, plan.predict());
  for (const [at, { audit }] of world.spaces.entries()) {
    const added = audit.splice(lengths[at] as number);
    const ids = added.flatMap(({ entityId }) => entityId ?? []);
    audit.push(...added.map((event) => ({ ...event, entityId: event.entityId && ids })));
  }
}

/**
 * A lost commit returns 503. If the COMMIT was lost, nothing is written. If its result was lost, the write is stored, and
 * the same request with its Idempotency-Key returns the record.
 */
async function sendWithFault(stage: Stage, node: Node, plan: Plan, fault: 'before' | 'after'): Promise<void> {
  const prediction = plan.predict();
  const isIdempotent = plan.headers?.['idempotency-key'] !== undefined && prediction.needsReply === undefined;
  const canBeLearned = prediction.needsReply === undefined;
  const when = canBeLearned ? fault : 'before';
  const cancel = node.cutAtCommit(when);
  const reply = await send(node, plan);
  const happened = cancel();
  // A rejected request commits nothing. The lost commit, if any, was the one that counts the call.
  if (!prediction.commits) return applyReply(reply, prediction);
  stage.cuts += 1;
  expect([happened, reply.status, reply.body.error]).toEqual([true, 503, 'service_unavailable']);
  expect(reply.headers['retry-after']).toMatch(/^[1-9]/);
  if (when === 'before') return;
  if (isIdempotent && prediction.status === 201) {
    const again = await send(node, plan);
    expect([again.status, again.headers['idempotent-replayed']], again.text).toEqual([201, 'true']);
    prediction.apply?.(again.body);
    expect(again.body).toMatchObject(prediction.expectedBody ?? {});
  } else prediction.apply?.(undefined);
}

/** Expects every audit chain to have one event for each write of its account. */
async function compareHeads({ service }: Node, world: World): Promise<void> {
  const ids = [...new Set(world.spaces.map(({ tenant }) => tenant.id))];
  const heads = await service.db.query<{ chain: string; seq: number }>(
    sql`select tenant_id || ' ' || environment as chain, seq from audit_heads where tenant_id = any(${ids}::uuid[])`,
  );
  const lengths = world.spaces.map(({ tenant, environment, audit }) => [
    `${tenant.id} ${environment}`,
    audit.length,
  ]);
  expect(Object.fromEntries(heads.map(({ chain, seq }) => [chain, seq]))).toEqual(
    Object.fromEntries(lengths),
  );
}

async function compareAll({ nodes }: Stage, world: World): Promise<void> {
  const { service } = nodes.at(-1) as Node;
  for (const space of world.spaces) {
    const as = (space.keys[0] as { raw: string }).raw;
    for (const kind of ['devices', 'users', 'attendance'] as const) {
      const shown = await readAll(service, as, kind);
      expect(shown.map(({ id }) => id)).toEqual(
        space[kind]
          .map(({ id }) => id)
          .sort()
          .reverse(),
      );
      for (const record of space[kind])
        expect(shown.find(({ id }) => id === record.id)).toMatchObject(record);
    }
    const outline = ({ method, result, userId, deviceId }: Record<string, unknown>) =>
      JSON.stringify([method, result, userId, deviceId]);
    const verifications = await readAll(service, as, 'verifications');
    expect(verifications.map(outline).sort()).toEqual(
      space.verifications.map((one) => outline({ ...one })).sort(),
    );
    const events = (await readAll(service, as, 'audit')).reverse();
    expect(events.map(({ action, status }) => `${action} ${status}`)).toEqual(
      space.audit.map(({ action, status }) => `${action} ${status}`),
    );
    for (const [at, { entityId }] of space.audit.entries())
      if (entityId !== undefined) expect([entityId].flat()).toContain(events[at]?.entityId);
  }
  for (const { id } of new Set(world.spaces.map(({ tenant }) => tenant))) {
    const { body } = await service.call('GET', `/api/admin/audit-integrity?tenantId=${id}`, {
      headers: { 'x-api-key': ADMIN_KEY },
    });
    expect(body).toMatchObject({ status: 'pass', partial: false });
  }
}

async function readAll(
  service: Service,
  as: string,
  collection: string,
): Promise<(Record<string, unknown> & { id: string })[]> {
  const all = [];
  let cursor = '';
  do {
    const { body } = await service.call('GET', `/v1/${collection}?limit=100${cursor}`, { as });
    all.push(...body[collection]);
    cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
  } while (cursor !== '');
  return all;
}

export interface ModelRun {
  readonly kind: DatabaseKind;
  readonly sequences: number;
  /** The maximum number of moves in a sequence. */
  readonly maxMoves: number;
  readonly seed: number;
  /** The maximum duration. A longer run fails. */
  readonly minutes: number;
}

export interface ModelReport {
  readonly sequences: number;
  readonly operations: number;
  readonly cuts: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

/** Runs random sequences. A sequence that differs from the model is shrunk and reported with its seed. */
export async function checkModel({
  kind,
  sequences,
  maxMoves,
  seed,
  minutes,
}: ModelRun): Promise<ModelReport> {
  const stage = await openStage(kind);
  try {
    let shrinkUntil = Number.POSITIVE_INFINITY;
    const property = fc.asyncProperty(moves(maxMoves), async (sequence) => {
      // Sequences that are not run count as passed, so shrinking stops at the smallest one found so far.
      if (performance.now() > shrinkUntil) return;
      try {
        await play(stage, sequence);
      } catch (error) {
        if (shrinkUntil === Number.POSITIVE_INFINITY) {
          shrinkUntil = performance.now() + SHRINK_MINUTES * MINUTE;
          console.log(
            `model on ${kind}: LONG_SEED=${seed} fails, and is shrunk for up to ${SHRINK_MINUTES} minutes. ${error}`,
          );
        }
        throw error;
      }
    });
    await fc.assert(property, {
      numRuns: sequences,
      seed,
      interruptAfterTimeLimit: minutes * MINUTE,
      markInterruptAsFailure: true,
    });
    const outcomes = Object.fromEntries([...stage.outcomes].sort());
    const operations = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
    return { sequences, operations, cuts: stage.cuts, outcomes };
  } finally {
    await stage.close();
  }
}

/** Operations that never succeeded. Their model was not really tested. */
export const neverSucceeded = ({ outcomes }: ModelReport): string[] =>
  Object.keys(OPERATIONS).filter((what) => !outcomes[`${what} 200`] && !outcomes[`${what} 201`]);
