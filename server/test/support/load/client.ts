import { randomUUID } from 'node:crypto';
import { createIdentity } from '@svc/zk/phone';
import { expect } from 'vitest';
import {
  type Ceremony,
  commitBody,
  completeBody,
  freshFingerprint,
  pairBody,
  type Step,
} from '../ceremony.js';
import type { Seeded } from '../seeded.js';
import { isUnavailable, type Journal, NoResponse, type Party, type WriteOptions } from './journal.js';
import type { Kind, Row, Snapshot } from './snapshot.js';

/** What a client expects: a record that must exist, or a request that must fail. */
export interface Fact {
  /** Compares with the lists read before all checks, and repeats a request whose response was lost. */
  check(now: Snapshot): Promise<void> | void;
  /** Sends a used code. The code-guessing guard limits these per minute. */
  readonly isWrongCode?: true;
}

interface Remembered {
  readonly kind: Kind;
  readonly mark: string;
  id?: string;
  /** How often the record may occur. */
  count: { min: number; max: number };
  /** The allowed versions of the record, each as a subset of its fields. */
  forms: object[];
  /** No other request about the record is in flight. */
  isSettled: boolean;
}

interface Session {
  accessToken: string;
  refreshToken: string;
  used?: string;
}

interface Walk {
  readonly c: Ceremony;
  /** The next step, if any. */
  next: Step | undefined;
  /** The states in which the session may be. */
  states: string[];
}

const STATE_AFTER: Record<Step, string> = {
  'pair-device': 'awaiting_commitment',
  'submit-commitment': 'awaiting_verification',
  complete: 'completed',
};

const one = { 201: 1 };

/**
 * Sends a mix of writes, one at a time, about its own records, and records what the responses promise. Each action sends
 * its write and then records the result, with or without a response.
 */
export class Client {
  readonly #records: Remembered[] = [];
  readonly #walks: Walk[] = [];
  #facts: Fact[] = [];
  #urgent: () => Promise<void> = async () => {};
  #session: Session | undefined;
  #keyId: string | undefined;
  #created = 0;
  readonly #journal: Journal;
  readonly #party: Party;
  readonly #name: string;
  readonly #seeded: Seeded;
  /** Generating a proof blocks this process for a third of a second. */
  readonly #mayProve: () => boolean;

  constructor(journal: Journal, party: Party, name: string, random: Seeded, mayProve: () => boolean) {
    this.#journal = journal;
    this.#party = party;
    this.#name = name;
    this.#seeded = random;
    this.#mayProve = mayProve;
  }

  /** @throws NoResponse */
  act(): Promise<void> {
    const actions: [weight: number, act: () => Promise<void>][] = [
      [5, () => this.#create('verifications', { method: 'manual', result: 'pass', userId: this.#userId() })],
      [3, () => this.#create('devices', {})],
      [3, () => this.#create('users', {})],
      [3, () => this.#create('attendance', { userId: this.#userId(), type: 'check_in' })],
      [3, () => this.#patch()],
      [3, () => this.#enrollByCode()],
      [5, () => this.#ceremony()],
      [3, () => this.#verify()],
      [3, () => this.#refresh()],
      [1, () => this.#logOut()],
      [1, () => this.#keys()],
      [2, () => this.#register()],
    ];
    const wheel = actions.flatMap(([weight, act]) => Array.from({ length: weight }, () => act));
    return this.#seeded.pick(wheel)();
  }

  /**
   * Retries requests that can be retried for one minute only, immediately after a start and before all checks.
   * @throws NoResponse and can then be called again
   */
  async retryUrgent(): Promise<void> {
    await this.#urgent();
    this.#urgent = async () => {};
  }

  /** The facts since the last call, and those that hold for every later list. */
  takeFacts(): Fact[] {
    const lasting = [
      ...this.#records.map((record) => ({ check: (now: Snapshot) => checkRecord(record, now) })),
      ...this.#walks.map((walk) => this.#walkFact(walk)),
    ];
    const facts = [...lasting, ...this.#facts, ...this.#sessionFacts()];
    this.#facts = [];
    return facts;
  }

  #userId = () => this.#party.person.userId;
  #mark = () => `${this.#name}-${++this.#created}`;

  #write(method: string, path: string, options: WriteOptions) {
    return this.#journal.write(method, path, { as: this.#party.key, ...options });
  }

  #remember(kind: Kind, mark: string, form: object): Remembered {
    const record = { kind, mark, count: { min: 0, max: 1 }, forms: [form], isSettled: false };
    this.#records.push(record);
    return record;
  }

  async #create(kind: Kind, fields: object): Promise<void> {
    const mark = this.#mark();
    const marked = {
      devices: { name: mark },
      users: { fullName: mark },
      verifications: { referenceId: mark },
      attendance: { metadata: { mark } },
    }[kind];
    const body = { ...fields, ...marked };
    const idempotencyKey = this.#seeded.chance(0.5) ? mark : undefined;
    const send = () => this.#write('POST', `/v1/${kind}`, { body, idempotencyKey, events: one });
    const record = this.#remember(kind, mark, body);
    const again = async () => {
      const { replayed, body: created } = await send();
      const { id } = Object.values(created)[0] as { id: string };
      if (record.count.min === 1) expect([replayed, id]).toEqual([true, record.id]);
      Object.assign(record, { id, count: { min: 1, max: 1 } });
    };
    try {
      record.id = (Object.values((await send()).body)[0] as { id: string }).id;
      Object.assign(record, { count: { min: 1, max: 1 }, isSettled: true });
      if (idempotencyKey && this.#seeded.chance(0.2)) this.#facts.push({ check: again });
    } catch (error) {
      if (idempotencyKey) this.#facts.push({ check: again });
      throw error;
    }
  }

  async #patch(): Promise<void> {
    const isMutable = ({ kind, isSettled }: Remembered) =>
      isSettled && (kind === 'devices' || kind === 'users');
    const mine = this.#records.filter(isMutable);
    if (mine.length === 0) return this.#create('users', {});
    const record = this.#seeded.pick(mine);
    const status = this.#seeded.pick(['active', 'inactive']);
    const next = { ...record.forms[0], status };
    record.forms = [...record.forms, next];
    await this.#write('PATCH', `/v1/${record.kind}/${record.id}`, { body: { status }, events: { 200: 1 } });
    record.forms = [next];
  }

  async #enrollByCode(): Promise<void> {
    const mark = this.#mark();
    const pending = { status: 'inactive', enrollment_state: 'pending' };
    const record = this.#remember('devices', mark, pending);
    const created = await this.#write('POST', '/api/console/devices', {
      as: this.#party.token,
      body: { name: mark },
      events: one,
    });
    Object.assign(record, { id: created.body.device.id, count: { min: 1, max: 1 } });
    const fingerprint = freshFingerprint();
    const enrolled = { status: 'active', enrollment_state: 'enrolled', fingerprint };
    const body = { enrollment_code: created.body.enrollment.code, fingerprint };
    const send = (events: WriteOptions['events']) =>
      this.#write('POST', '/v1/devices/enroll', { body, events });
    record.forms = [pending, enrolled];
    try {
      await send(one);
      Object.assign(record, { forms: [enrolled], isSettled: true });
      if (this.#seeded.chance(0.5))
        this.#facts.push({ check: async () => void (await send({ 404: 0 })), isWrongCode: true });
    } catch (error) {
      // Either the device was claimed, or its code still works.
      const finish = async () => {
        const isEnrolled = record.forms[0] === enrolled;
        await send(isEnrolled ? { 404: 0 } : { 201: 1 });
        Object.assign(record, { forms: [enrolled], isSettled: true });
      };
      this.#facts.push({ check: finish });
      throw error;
    }
  }

  async #ceremony(): Promise<void> {
    const walk = this.#walks.find(({ next }) => next !== undefined) ?? (await this.#open());
    const { c, next } = walk;
    if (next === undefined) return;
    if (next === 'complete' && !this.#mayProve()) return this.#abandon(walk);
    const body = await this.#bodyOf(c, next);
    const send = (events: WriteOptions['events']) =>
      this.#write('POST', `/v1/registrations/${next}`, { body, events });
    walk.states.push(STATE_AFTER[next]);
    walk.next = undefined;
    const { body: reply } = await send(next === 'complete' ? { 201: 2 } : one);
    walk.states = [STATE_AFTER[next]];
    if (next === 'pair-device') {
      walk.next = 'submit-commitment';
      Object.assign(c, { deviceId: reply.device_id, enrollCode: reply.next.code });
    } else if (next === 'submit-commitment') {
      walk.next = 'complete';
      Object.assign(c, { verifyCode: reply.next.code, challengeNonce: reply.next.challenge_nonce });
    }
    if (this.#seeded.chance(0.5))
      this.#facts.push({ check: async () => void (await send({ 404: 0 })), isWrongCode: true });
  }

  #bodyOf(c: Ceremony, step: Step): object | Promise<object> {
    if (step === 'pair-device') return pairBody(c);
    return step === 'submit-commitment' ? commitBody(c) : completeBody(c);
  }

  async #open(): Promise<Walk> {
    const { body } = await this.#write('POST', '/v1/registrations', { body: {}, events: one });
    const c: Ceremony = {
      id: body.session.id,
      tenantId: this.#party.tenantId,
      environment: 'live',
      identity: createIdentity(),
      fingerprint: freshFingerprint(),
      pairCode: body.pair.code,
    };
    const walk: Walk = { c, next: 'pair-device', states: ['awaiting_device'] };
    this.#walks.push(walk);
    return walk;
  }

  async #abandon(walk: Walk): Promise<void> {
    walk.next = undefined;
    walk.states.push('abandoned');
    await this.#write('DELETE', `/v1/registrations/${walk.c.id}`, { events: { 200: 1 } });
    walk.states = ['abandoned'];
  }

  /** Expects all rows of a ceremony to match one state. Abandons a ceremony whose next code was lost. */
  #walkFact(walk: Walk): Fact {
    return {
      check: async (now) => {
        const [known] = walk.states;
        const { body } = await this.#journal.read(`/v1/registrations/${walk.c.id}`, { as: this.#party.key });
        const { state } = body.session;
        expect(walk.states).toContain(state);
        walk.states = [state];
        checkRows(walk.c, body.session, now);
        const isOver = state === 'completed' || state === 'abandoned';
        if (state === 'completed' && known !== 'completed') {
          const { did, commitment } = walk.c.identity;
          await this.#write('POST', '/v1/identity/register', {
            body: { did, commitment },
            events: { 409: 0 },
          });
        }
        if (isOver) walk.next = undefined;
        else if (state !== known) await this.#abandon(walk);
        else walk.next = NEXT[state];
      },
    };
  }

  async #verify(): Promise<void> {
    const { person, proof } = this.#party;
    const body = { ...proof, did: person.did, nonce: randomUUID(), timestamp: Date.now() };
    const send = (events: WriteOptions['events']) =>
      this.#write('POST', '/v1/identity/verify', { body, events });
    try {
      const { body: tokens } = await send({ 200: 1 });
      this.#session = tokens;
      if (this.#seeded.chance(0.3)) this.#facts.push({ check: async () => void (await send({ 401: 1 })) });
    } catch (error) {
      this.#facts.push({ check: async () => void (await send({ 200: 1, 401: 1 })) });
      throw error;
    }
  }

  async #refresh(): Promise<void> {
    const session = this.#session;
    if (session === undefined) return this.#verify();
    this.#session = undefined;
    const { refreshToken } = session;
    const idempotencyKey = this.#seeded.chance(0.5) ? this.#mark() : undefined;
    const send = (events: WriteOptions['events']) =>
      this.#write('POST', '/v1/identity/refresh', { body: { refreshToken }, idempotencyKey, events });
    try {
      const { body } = await send({ 200: 1 });
      this.#session = { ...body, used: refreshToken };
    } catch (error) {
      if (idempotencyKey === undefined)
        this.#facts.push({ check: async () => void (await send({ 200: 1, 401: 1 })) });
      else
        this.#urgent = async () => {
          // The retry returns the tokens: new ones, or those of the lost response.
          await send({ 200: 0 });
          this.#journal.events.min += 1;
        };
      throw error;
    }
  }

  async #logOut(): Promise<void> {
    const session = this.#session;
    if (session === undefined) return this.#verify();
    this.#session = undefined;
    const statusOf = async () =>
      (await this.#journal.read('/v1/identity/me', { as: this.#party.key, session: session.accessToken }))
        .status;
    await this.#write('POST', '/v1/identity/logout', { session: session.accessToken, events: { 200: 1 } });
    this.#facts.push({ check: async () => expect(await statusOf()).toBe(401) });
  }

  /** Expects that the session is still valid, and that a used refresh token is rejected and ends it. */
  #sessionFacts(): Fact[] {
    const session = this.#session;
    if (session === undefined) return [];
    this.#session = undefined;
    const me = async () =>
      (await this.#journal.read('/v1/identity/me', { as: this.#party.key, session: session.accessToken }))
        .status;
    const refresh = (refreshToken: string, events: WriteOptions['events']) =>
      this.#write('POST', '/v1/identity/refresh', { body: { refreshToken }, events });
    const check = async () => {
      expect(await me()).toBe(200);
      if (session.used === undefined) return void (await refresh(session.refreshToken, { 200: 1 }));
      await refresh(session.used, { 401: 1 });
      expect(await me()).toBe(401);
      await refresh(session.refreshToken, { 401: 0 });
    };
    return [{ check }];
  }

  async #keys(): Promise<void> {
    const as = this.#party.token;
    if (this.#keyId === undefined) {
      const name = this.#mark();
      // If the response is lost, revoke the key by its name. An account can have few active keys.
      this.#urgent = () => this.#revokeIfActive((key) => key.name === name);
      const body = { name, environment: 'live' };
      const created = await this.#write('POST', '/api/console/keys', { as, body, events: one });
      this.#urgent = async () => {};
      const { id, key } = created.body.apiKey as { id: string; key: string };
      this.#keyId = id;
      const use = () => this.#journal.read('/v1/devices?limit=1', { as: key });
      this.#facts.push({
        check: async () => expect((await use()).status).toBe(this.#revoked.has(id) ? 401 : 200),
      });
      return;
    }
    const id = this.#keyId;
    this.#keyId = undefined;
    this.#revoked.add(id);
    // If the response is lost, revoke the key again before its use is checked.
    this.#urgent = () => this.#revokeIfActive((key) => key.id === id);
    await this.#write('DELETE', `/api/console/keys/${id}`, { as, events: { 200: 1 } });
    this.#urgent = async () => {};
  }

  readonly #revoked = new Set<string>();

  async #revokeIfActive(isMeant: (key: Row) => boolean): Promise<void> {
    const as = this.#party.token;
    const reply = await this.#journal.read('/api/console/keys', { as });
    if (isUnavailable(reply)) throw new NoResponse('GET /api/console/keys');
    const found = reply.body.keys.filter(isMeant);
    expect(found.length).toBeLessThanOrEqual(1);
    for (const { id, status } of found) {
      const events = { 200: status === 'revoked' ? 0 : 1 };
      await this.#write('DELETE', `/api/console/keys/${id}`, { as, events });
    }
  }

  async #register(): Promise<void> {
    const { did, commitment } = createIdentity();
    const body = { did, commitment };
    const send = (events: WriteOptions['events']) =>
      this.#write('POST', '/v1/identity/register', { body, events });
    try {
      const { userId } = (await send(one)).body;
      this.#facts.push({ check: ({ byId }) => expect(byId.has(userId)).toBe(true) });
      if (this.#seeded.chance(0.3)) this.#facts.push({ check: async () => void (await send({ 409: 0 })) });
    } catch (error) {
      this.#facts.push({ check: async () => void (await send({ 201: 1, 409: 0 })) });
      throw error;
    }
  }
}

const NEXT: Readonly<Record<string, Step>> = {
  awaiting_device: 'pair-device',
  awaiting_commitment: 'submit-commitment',
  awaiting_verification: 'complete',
};

/** Expects that the session, its device and its user match the session's state. */
function checkRows(c: Ceremony, session: Row, { byId }: Snapshot): void {
  const { state } = session;
  if (c.deviceId) expect(session.device_id).toBe(c.deviceId);
  expect([session.did === null, session.user_id === null]).toEqual([
    session.commitment === null,
    state !== 'completed',
  ]);
  if (state !== 'abandoned') {
    expect(session.device_id === null).toBe(state === 'awaiting_device');
    const isKnown = state === 'awaiting_verification' || state === 'completed';
    expect(session.did).toBe(isKnown ? c.identity.did : null);
  }
  if (session.device_id !== null) {
    const expected = { completed: 'enrolled', abandoned: 'revoked' }[state as string] ?? 'pending';
    expect(byId.get(session.device_id)?.enrollment_state).toBe(expected);
  }
  if (session.user_id !== null)
    expect(byId.get(session.user_id)).toMatchObject({ primaryDeviceId: session.device_id });
}

/** Expects the record as often and in a form as allowed, and from now on exactly so. */
function checkRecord(record: Remembered, { byMark }: Snapshot): void {
  const found = byMark.get(record.mark) ?? [];
  expect(found.length, record.mark).toBeGreaterThanOrEqual(record.count.min);
  expect(found.length, record.mark).toBeLessThanOrEqual(record.count.max);
  const [row] = found;
  record.count = { min: found.length, max: found.length };
  if (row === undefined) return;
  record.id ??= row.id;
  expect(row.id).toBe(record.id);
  const form = record.forms.find((fields) => matches(row, fields));
  expect(form, `${record.mark} is ${JSON.stringify(row)}`).toBeDefined();
  record.forms = [form as object];
}

const matches = (row: Row, fields: object) =>
  Object.entries(fields).every(([name, value]) => JSON.stringify(row[name]) === JSON.stringify(value));
