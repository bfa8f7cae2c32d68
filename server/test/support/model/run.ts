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

/** One thing that happens: an operation of a client on a node, a step of the clock, or housekeeping. */
export interface Move {
  readonly what: string;
  readonly space: number;
  readonly node: number;
  readonly rolls: readonly number[];
  /** Sent to both nodes at the same time. */
  readonly twice: boolean;
  /** The connection that commits it is lost: before the database heard of it, or before the service hears back. */
  readonly fault: 'none' | 'before' | 'after';
}

const STEPS_MS = [1, 1_000, MINUTE, MINUTE + 1, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR];

/** Makes the next COMMIT fail; answers whether it did. */
type CutAtCommit = (when: 'before' | 'after') => () => boolean;

interface Node {
  readonly service: Service;
  readonly cutAtCommit: CutAtCommit;
}

/** The service as the model's clients meet it: two nodes on PostgreSQL, one on the embedded database. */
export interface Stage {
  readonly clock: ManualClock;
  readonly nodes: readonly Node[];
  readonly people: readonly Prepared[];
  /** Commits that were cut. */
  cuts: number;
  /** How often each operation was answered with each status. */
  readonly answers: Map<string, number>;
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
    const { database, cutAtCommit } = losingCommits(db);
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
    answers: new Map(),
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

/** The embedded database has no connection to lose; one that fails at its commit comes nearest. */
function losingCommits(db: RawDatabase): { database: RawDatabase; cutAtCommit: CutAtCommit } {
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

function moves(most: number): fc.Arbitrary<Move[]> {
  const weighted = [
    ...Object.entries(OPERATIONS).map(([what, { weight }]) => ({ weight, arbitrary: fc.constant(what) })),
    { weight: 6, arbitrary: fc.constant('wait') },
    { weight: 2, arbitrary: fc.constant('housekeeping') },
  ];
  const move = fc.record<Move>({
    what: fc.oneof(...weighted),
    // Mostly the first account: what meets nothing of its own shows little.
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
  return fc.array(move, { minLength: 1, maxLength: most, size: 'max' });
}

/** Plays a sequence on accounts of its own, and compares every answer and in the end everything there is. */
async function play(stage: Stage, sequence: readonly Move[]): Promise<void> {
  // The sequences before have filled the windows of addresses.
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
    const made = await service.call('POST', '/api/console/keys', {
      as: token,
      body: { name: 'Test', environment: 'test' },
    });
    const test = made.body.apiKey as { id: string; key: string };
    const allowsBareProofs = at < 2;
    if (allowsBareProofs)
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
    tenants.push({ id, token, tokenExpiresAt, keys, allowsBareProofs });
  }
  const world = new World(tenants, people, randomUUID(), clock.now);
  for (const space of world.spaces) {
    const isLive = space.environment === 'live';
    const began = isLive ? ['tenant.created', 'api_key.created'] : ['api_key.created'];
    if (isLive && space.tenant.allowsBareProofs) began.push('tenant.security_policy_replaced');
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
    await keepHouse(node, world);
    return compareHeads(node, world);
  }
  const space = world.spaces[move.space % world.spaces.length] as Space;
  const scene: Scene = { world, space, dice, service: node.service };
  const what = choose(move.what, scene);
  const plan = await (OPERATIONS[what] as Choice).operation(scene);
  const asked = `${what} ${plan.predict().status}`;
  stage.answers.set(asked, (stage.answers.get(asked) ?? 0) + 1);
  if (move.fault !== 'none') await sendWithFault(stage, node, plan, move.fault);
  else if (move.twice && plan.mayBeTwice) {
    const other = nodes[(move.node + 1) % nodes.length] as Node;
    await sendTwice(world, [node, other], plan);
  } else answered(await send(node, plan), plan.predict());
  await compareHeads(node, world);
}

/** What ran out is closed and forgotten: of that, answers show only that a nonce no longer needed may be used again. */
async function keepHouse({ service }: Node, world: World): Promise<void> {
  await deleteExpired(service.app.deps);
  await expireSessions(service.app.deps);
  for (const { nonces } of world.spaces)
    for (const [nonce, keptUntil] of nonces) if (keptUntil < world.now()) nonces.delete(nonce);
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

/** Compares an answer with what was to be answered, and lets the world take its course. */
function answered(reply: Reply, prediction: Prediction): void {
  const { status, error, shows, replayed, apply } = prediction;
  if (!agrees(reply, prediction)) {
    throw new Error(`answered ${reply.status} ${reply.text}, not ${status} ${String(error ?? '')}`);
  }
  expect(reply.headers['idempotent-replayed']).toBe(replayed && 'true');
  if (shows) expect(reply.body).toMatchObject(shows);
  const cookie = String(reply.headers['set-cookie'] ?? '').split(';')[0];
  apply?.({ ...reply.body, cookie });
}

/** Two of the same at once end as two in a row: in some order. */
async function sendTwice(world: World, nodes: readonly [Node, Node], plan: Plan): Promise<void> {
  const lengths = world.spaces.map(({ audit }) => audit.length);
  const replies = await Promise.all(nodes.map((node) => send(node, plan)));
  const prediction = plan.predict();
  const first = replies.findIndex((reply) => agrees(reply, prediction));
  answered((replies[first] ?? replies[0]) as Reply, prediction);
  answered(replies[first === 1 ? 0 : 1] as Reply, plan.predict());
  for (const [at, { audit }] of world.spaces.entries()) {
    const added = audit.splice(lengths[at] as number);
    const ids = added.flatMap(({ entityId }) => entityId ?? []);
    audit.push(...added.map((event) => ({ ...event, entityId: event.entityId && ids })));
  }
}

/**
 * A commit that is lost answers 503. Lost on its way there, it never was; lost on its way back, it stands, and the same
 * request with its Idempotency-Key shows the record.
 */
async function sendWithFault(stage: Stage, node: Node, plan: Plan, fault: 'before' | 'after'): Promise<void> {
  const prediction = plan.predict();
  const isIdempotent =
    plan.headers?.['idempotency-key'] !== undefined && prediction.needsAnswer === undefined;
  const canBeLearned = prediction.needsAnswer === undefined;
  const when = canBeLearned ? fault : 'before';
  const callOff = node.cutAtCommit(when);
  const reply = await send(node, plan);
  const happened = callOff();
  // A refusal commits nothing of its own: what was cut there, if anything, was the count of the call.
  if (!prediction.commits) return answered(reply, prediction);
  stage.cuts += 1;
  expect([happened, reply.status, reply.body.error]).toEqual([true, 503, 'service_unavailable']);
  expect(reply.headers['retry-after']).toMatch(/^[1-9]/);
  if (when === 'before') return;
  if (isIdempotent && prediction.status === 201) {
    const again = await send(node, plan);
    expect([again.status, again.headers['idempotent-replayed']], again.text).toEqual([201, 'true']);
    prediction.apply?.(again.body);
    expect(again.body).toMatchObject(prediction.shows ?? {});
  } else prediction.apply?.(undefined);
}

/** Every chain is as long as it should be: no write without its event, in no other account's chain. */
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
  /** Moves in each, at most. */
  readonly most: number;
  readonly seed: number;
  /** A run that takes longer fails. */
  readonly minutes: number;
}

export interface ModelReport {
  readonly sequences: number;
  readonly operations: number;
  readonly cuts: number;
  readonly answers: Readonly<Record<string, number>>;
}

/** Plays random sequences; one that differs from the model is shrunk to what is needed for it, and shown with its seed. */
export async function checkModel({ kind, sequences, most, seed, minutes }: ModelRun): Promise<ModelReport> {
  const stage = await openStage(kind);
  try {
    let shrinkUntil = Number.POSITIVE_INFINITY;
    const property = fc.asyncProperty(moves(most), async (sequence) => {
      // What is not played counts as passed, so the smallest that was found until then stands.
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
    const answers = Object.fromEntries([...stage.answers].sort());
    const operations = Object.values(answers).reduce((sum, count) => sum + count, 0);
    return { sequences, operations, cuts: stage.cuts, answers };
  } finally {
    await stage.close();
  }
}

/** Operations that were never answered as they are meant to be: what never succeeds shows nothing. */
export const neverSucceeded = ({ answers }: ModelReport): string[] =>
  Object.keys(OPERATIONS).filter((what) => !answers[`${what} 200`] && !answers[`${what} 201`]);
