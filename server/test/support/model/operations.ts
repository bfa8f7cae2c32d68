import { randomUUID } from 'node:crypto';
import { completeBody } from '../ceremony.js';
import { proveForPairing } from '../pairing.js';
import { proveFor } from '../phone.js';
import { freshAddress, type Service } from '../service.js';
import {
  type Code,
  type Device,
  HOUR,
  type Identity,
  type Key,
  MINUTE,
  type Pairing,
  type Prepared,
  type Registration,
  type Session,
  type Space,
  type User,
  type Verification,
  type World,
} from './world.js';

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds depends on the operation
type Body = any;

/** What the contract says that a request is answered, given the world as it is. */
export interface Prediction {
  readonly status: number;
  /** More than one where two refusals apply and the contract ranks neither. */
  readonly error?: string | readonly string[];
  readonly replayed?: true;
  /** A part of the answer. */
  readonly shows?: object;
  /** Whether the audit chain grows. */
  readonly commits: boolean;
  /** What becomes of the world. */
  readonly apply?: (answer: Body) => void;
  /** The world after it cannot be known without the answer. */
  readonly needsAnswer?: true;
}

export interface Plan {
  readonly method: string;
  readonly path: string;
  readonly as?: string | undefined;
  readonly body?: object;
  readonly headers?: Record<string, string>;
  readonly address?: string;
  /** Asked anew for every request: it speaks of the world as it is then. */
  predict(): Prediction;
  /** Two of it at once, on two nodes, end as two in a row do. */
  readonly mayBeTwice?: boolean;
}

/** The rolls of one operation, taken one by one: a smaller number is a simpler choice. */
export class Dice {
  readonly #rolls: readonly number[];
  #at = 0;

  constructor(rolls: readonly number[]) {
    this.#rolls = rolls;
  }

  below(count: number): number {
    const roll = this.#rolls[this.#at % this.#rolls.length] as number;
    this.#at += 1;
    return count === 0 ? 0 : roll % count;
  }

  pick<T>(from: readonly T[]): T | undefined {
    return from[this.below(from.length)];
  }

  /** Once in so many. */
  once(inSoMany: number): boolean {
    return this.below(inSoMany) === inSoMany - 1;
  }
}

interface Scene {
  readonly world: World;
  readonly space: Space;
  readonly dice: Dice;
  /** For what making a proof needs. */
  readonly service: Service;
}

type Operation = (scene: Scene) => Plan | undefined | Promise<Plan | undefined>;

const refusal = (status: number, error: string | readonly string[]): Prediction => ({
  status,
  error,
  commits: false,
});
const NAMES = ['gate', 'door', 'lift'];

const note = (space: Space, action: string, entityId?: string, status: 'success' | 'failure' = 'success') =>
  void space.audit.push({ action, status, entityId });

/** A request with one of the account's keys; refused when that is revoked or past its time. */
function byKey({ world, space, dice }: Scene, plan: Plan): Plan {
  const key = (dice.once(4) ? dice.pick(space.keys) : space.keys[0]) as Key;
  const isGood = () => !key.revoked && (key.expiresAt === null || key.expiresAt > world.now());
  return {
    ...plan,
    as: key.raw,
    predict: () => (isGood() ? plan.predict() : refusal(401, 'invalid_api_key')),
  };
}

function byConsole({ world, space }: Scene, plan: Plan): Plan {
  const { token, tokenExpiresAt } = space.tenant;
  return {
    ...plan,
    path: plan.path.includes('/keys') ? plan.path : `${plan.path}?environment=${space.environment}`,
    as: token,
    predict: () => (world.now() < tokenExpiresAt ? plan.predict() : refusal(401, 'invalid_console_token')),
  };
}

/** With one of three Idempotency-Keys, or none. `show` is what the record looks like whenever it is shown again. */
function maybeIdempotent(
  { world, space, dice }: Scene,
  plan: Plan,
  show: (answer: Body) => () => object,
): Plan {
  const name = dice.once(2) ? dice.pick(['first', 'second', 'third']) : undefined;
  if (name === undefined) return plan;
  const slot = `${plan.path} ${name}`;
  const body = JSON.stringify(plan.body);
  return {
    ...plan,
    mayBeTwice: false,
    headers: { 'idempotency-key': name },
    predict() {
      const kept = space.idempotent.get(slot);
      if (kept !== undefined && kept.expiresAt > world.now()) {
        if (kept.body !== body) return refusal(409, 'idempotency_key_reused');
        return { status: 201, replayed: true, shows: kept.show(), commits: false };
      }
      const first = plan.predict();
      if (first.status !== 201) return first;
      const { needsAnswer: _, ...known } = first;
      return {
        ...known,
        apply(answer) {
          first.apply?.(answer);
          space.idempotent.set(slot, { body, show: show(answer), expiresAt: world.now() + 24 * HOUR });
        },
      };
    },
  };
}

/** One of the space's own mostly; else anybody's, or nobody's. */
function someId<T extends { readonly id: string }>(
  { world, space, dice }: Scene,
  of: (space: Space) => readonly T[],
): { id: string; own: T | undefined } {
  const others = world.spaces.flatMap(of).filter(({ id }) => id !== '');
  const mine = of(space).filter(({ id }) => id !== '');
  const found = dice.once(6) || mine.length === 0 ? dice.pick(others) : dice.pick(mine);
  return { id: found?.id ?? randomUUID(), own: found && mine.find(({ id }) => id === found.id) };
}

const devicesOf = ({ devices }: Space) => devices;
const usersOf = ({ users }: Space) => users;

const createDevice: Operation = (scene) => {
  const { space, dice } = scene;
  const externalId = dice.once(3) ? dice.pick(['d1', 'd2', 'd3']) : undefined;
  const body = { name: dice.pick(NAMES) as string, ...(externalId && { externalId }) };
  const plan: Plan = {
    method: 'POST',
    path: '/v1/devices',
    body,
    mayBeTwice: true,
    predict() {
      if (externalId && space.devices.some((device) => device.externalId === externalId))
        return refusal(409, 'external_id_conflict');
      const fresh = {
        name: body.name,
        externalId: externalId ?? null,
        status: 'active',
        enrollment_state: 'enrolled',
        fingerprint: null,
      } as const;
      return {
        status: 201,
        shows: { device: fresh },
        commits: true,
        needsAnswer: true,
        apply({ device: { id } }) {
          space.devices.push({ id, ...fresh });
          note(space, 'device.created', id);
        },
      };
    },
  };
  const show =
    ({ device: { id } }: Body) =>
    () => ({
      device: space.devices.find((device) => device.id === id) as Device,
    });
  return byKey(scene, maybeIdempotent(scene, plan, show));
};

const patchDevice: Operation = (scene) => {
  const { space, dice } = scene;
  const { id, own } = someId(scene, devicesOf);
  const changes: Partial<Pick<Device, 'name' | 'externalId' | 'status'>> = [
    { status: 'active' as const },
    { status: 'inactive' as const },
    { name: 'renamed' },
    { externalId: dice.pick(['d1', 'd2', 'd3']) as string },
    { externalId: null },
    { status: 'retired' as const },
  ][dice.below(6)] as object;
  return byKey(scene, {
    method: 'PATCH',
    path: `/v1/devices/${id}`,
    body: changes,
    mayBeTwice: true,
    predict() {
      if (own === undefined) return refusal(404, 'device_not_found');
      const { status, externalId } = changes;
      const isLegal =
        status === undefined ||
        status === own.status ||
        (own.status !== 'retired' && (own.enrollment_state !== 'pending' || status === 'retired'));
      if (!isLegal) return refusal(409, 'invalid_transition');
      if (externalId && space.devices.some((other) => other !== own && other.externalId === externalId))
        return refusal(409, 'external_id_conflict');
      return {
        status: 200,
        shows: { device: { ...own, ...changes } },
        commits: true,
        apply() {
          Object.assign(own, changes);
          note(space, 'device.updated', id);
        },
      };
    },
  });
};

function learnCode(
  world: World,
  space: Space,
  purpose: Code['purpose'],
  subject: string,
  text: string,
): void {
  world.voidCodes(subject);
  const expiresAt = world.now() + 15 * MINUTE;
  world.codes.push({ text, purpose, space, subject, expiresAt, dead: false });
}

const createPending: Operation = (scene) => {
  const { world, space } = scene;
  return byConsole(scene, {
    method: 'POST',
    path: '/api/console/devices',
    body: { name: 'kiosk' },
    mayBeTwice: true,
    predict() {
      const fresh = {
        name: 'kiosk',
        externalId: null,
        status: 'inactive',
        enrollment_state: 'pending',
        fingerprint: null,
      } as const;
      return {
        status: 201,
        shows: { device: fresh },
        commits: true,
        needsAnswer: true,
        apply({ device: { id }, enrollment }) {
          space.devices.push({ id, ...fresh });
          learnCode(world, space, 'device', id, enrollment.code);
          note(space, 'device.created', id);
        },
      };
    },
  });
};

const regenerate: Operation = (scene) => {
  const { world, space } = scene;
  const { id, own } = someId(scene, devicesOf);
  return byConsole(scene, {
    method: 'POST',
    path: `/api/console/devices/${id}/regenerate-code`,
    predict() {
      if (own === undefined) return refusal(404, 'device_not_found');
      const isPhone = world.registrations.some(({ deviceId }) => deviceId === id);
      if (own.enrollment_state !== 'pending' || own.status === 'retired' || isPhone)
        return refusal(409, 'device_not_pending');
      return {
        status: 201,
        shows: { device: own },
        commits: true,
        needsAnswer: true,
        apply({ enrollment }) {
          learnCode(world, space, 'device', id, enrollment.code);
          note(space, 'device.code_regenerated', id);
        },
      };
    },
  });
};

const revokeDevice: Operation = (scene) => {
  const { world, space } = scene;
  const { id, own } = someId(scene, devicesOf);
  return byConsole(scene, {
    method: 'DELETE',
    path: `/api/console/devices/${id}`,
    mayBeTwice: true,
    predict() {
      if (own === undefined) return refusal(404, 'device_not_found');
      if (own.enrollment_state === 'revoked') return { status: 200, shows: { device: own }, commits: false };
      return {
        status: 200,
        shows: { device: { id, enrollment_state: 'revoked', status: 'retired' } },
        commits: true,
        apply() {
          Object.assign(own, { enrollment_state: 'revoked', status: 'retired' });
          world.voidCodes(id);
          for (const identity of space.identities)
            if (identity.deviceId === id) revoke(world, space, identity);
          note(space, 'device.revoked', id);
        },
      };
    },
  });
};

function revoke(world: World, space: Space, identity: Identity): void {
  identity.revoked = true;
  world.endSessions(space, ({ did }) => did === identity.did);
}

/** A live one for that step mostly, else any there ever was, or none at all. */
function someCode(
  { world, dice }: Scene,
  purpose: Code['purpose'],
): { text: string; code: Code | undefined } {
  const live = world.codes.filter((code) => world.isLive(code, purpose));
  const code = dice.once(5) || live.length === 0 ? dice.pick(world.codes) : dice.pick(live);
  return { text: code?.text ?? 'SV-2222-3333', code };
}

const someFingerprint = ({ world, dice }: Scene): string =>
  dice.once(2) ? (dice.pick(world.fingerprints) as string) : `fp:${randomUUID()}`;

const byPhone = (path: string, body: object, predict: () => Prediction): Plan => ({
  method: 'POST',
  path,
  body,
  address: freshAddress(),
  mayBeTwice: true,
  predict,
});

const enrollDevice: Operation = (scene) => {
  const { world } = scene;
  const { text, code } = someCode(scene, 'device');
  const fingerprint = someFingerprint(scene);
  return byPhone('/v1/devices/enroll', { enrollment_code: text, fingerprint }, () => {
    const refused = refusal(404, 'enrollment_failed');
    if (!world.isLive(code, 'device')) return refused;
    const { space, subject } = code;
    const device = space.devices.find(({ id }) => id === subject) as Device;
    const isPending = device.enrollment_state === 'pending' && device.status !== 'retired';
    if (!isPending || world.isFingerprintTaken(space, fingerprint, false)) return refused;
    const enrolled = { enrollment_state: 'enrolled', status: 'active', fingerprint } as const;
    return {
      status: 201,
      shows: { device: { ...device, ...enrolled } },
      commits: true,
      apply() {
        Object.assign(device, enrolled);
        code.dead = true;
        note(space, 'device.enrolled', subject);
      },
    };
  });
};

const createUser: Operation = (scene) => {
  const { space, dice } = scene;
  const externalId = dice.once(3) ? dice.pick(['u1', 'u2', 'u3']) : undefined;
  const device = externalId === undefined && dice.once(3) ? someId(scene, devicesOf) : undefined;
  const body = {
    fullName: dice.pick(['Ada', 'Grace']) as string,
    ...(externalId && { externalId }),
    ...(device && { primaryDeviceId: device.id }),
  };
  const plan: Plan = {
    method: 'POST',
    path: '/v1/users',
    body,
    mayBeTwice: true,
    predict() {
      if (device && !device.own) return refusal(404, 'device_not_found');
      if (externalId && space.users.some((user) => user.externalId === externalId))
        return refusal(409, 'external_id_conflict');
      const fresh = {
        fullName: body.fullName,
        externalId: externalId ?? null,
        primaryDeviceId: device?.id ?? null,
        status: 'active',
      } as const;
      return {
        status: 201,
        shows: { user: fresh },
        commits: true,
        needsAnswer: true,
        apply({ user: { id } }) {
          space.users.push({ id, ...fresh });
          note(space, 'user.created', id);
        },
      };
    },
  };
  const show =
    ({ user: { id } }: Body) =>
    () => ({ user: space.users.find((user) => user.id === id) as User });
  return byKey(scene, maybeIdempotent(scene, plan, show));
};

const patchUser: Operation = (scene) => {
  const { world, space, dice } = scene;
  const { id, own } = someId(scene, usersOf);
  const changes: Partial<Pick<User, 'fullName' | 'externalId' | 'status'>> = [
    { status: 'active' as const },
    { fullName: 'Renamed' },
    { externalId: dice.pick(['u1', 'u2', 'u3']) as string },
    { externalId: null },
    { status: 'inactive' as const },
  ][dice.below(5)] as object;
  return byKey(scene, {
    method: 'PATCH',
    path: `/v1/users/${id}`,
    body: changes,
    mayBeTwice: true,
    predict() {
      if (own === undefined) return refusal(404, 'user_not_found');
      const { externalId } = changes;
      if (externalId && space.users.some((other) => other !== own && other.externalId === externalId))
        return refusal(409, 'external_id_conflict');
      return {
        status: 200,
        shows: { user: { ...own, ...changes } },
        commits: true,
        apply() {
          Object.assign(own, changes);
          if (changes.status === 'inactive') world.endSessions(space, ({ userId }) => userId === id);
          note(space, 'user.updated', id);
        },
      };
    },
  });
};

const createVerification: Operation = (scene) => {
  const { space, dice } = scene;
  const user = dice.once(2) ? someId(scene, usersOf) : undefined;
  const device = user === undefined && dice.once(2) ? someId(scene, devicesOf) : undefined;
  const body = {
    method: 'manual',
    result: dice.pick(['pass', 'fail', 'challenge']) as string,
    ...(user && { userId: user.id }),
    ...(device && { deviceId: device.id }),
  };
  const plan: Plan = {
    method: 'POST',
    path: '/v1/verifications',
    body,
    mayBeTwice: true,
    predict() {
      if (user && !user.own) return refusal(404, 'user_not_found');
      if (device && !device.own) return refusal(404, 'device_not_found');
      const { method, result } = body;
      const fresh = { method, result, userId: user?.id ?? null, deviceId: device?.id ?? null };
      return {
        status: 201,
        shows: { verification: fresh },
        commits: true,
        needsAnswer: true,
        apply({ verification: { id } }) {
          space.verifications.push({ id, ...fresh });
          note(space, 'verification.created', id);
        },
      };
    },
  };
  const show =
    ({ verification: { id } }: Body) =>
    () => ({
      verification: space.verifications.find((one) => one.id === id) as Verification,
    });
  return byKey(scene, maybeIdempotent(scene, plan, show));
};

const createAttendance: Operation = (scene) => {
  const { space, dice } = scene;
  const user = someId(scene, usersOf);
  const verification = dice.once(2) ? someId(scene, (one) => one.verifications) : undefined;
  const result = dice.once(4) ? dice.pick(['accepted', 'rejected']) : undefined;
  const body = {
    userId: user.id,
    type: dice.pick(['check_in', 'check_out']) as string,
    ...(verification && { verificationId: verification.id }),
    ...(result && { result }),
  };
  const plan: Plan = {
    method: 'POST',
    path: '/v1/attendance',
    body,
    mayBeTwice: true,
    predict() {
      if (!user.own) return refusal(404, 'user_not_found');
      if (verification && !verification.own) return refusal(404, 'verification_not_found');
      const seen = verification?.own;
      if (seen && seen.userId !== null && seen.userId !== user.id) return refusal(400, 'invalid_request');
      const decided = seen === undefined || seen.result === 'pass' ? 'accepted' : 'rejected';
      const fresh = {
        userId: user.id,
        type: body.type,
        verificationId: verification?.id ?? null,
        result: result ?? decided,
      };
      return {
        status: 201,
        shows: { attendance: fresh },
        commits: true,
        needsAnswer: true,
        apply({ attendance: { id } }) {
          space.attendance.push({ id, ...fresh });
          note(space, 'attendance.created', id);
        },
      };
    },
  };
  const show =
    ({ attendance }: Body) =>
    () => ({ attendance });
  return byKey(scene, maybeIdempotent(scene, plan, show));
};

const openRegistration: Operation = (scene) => {
  const { world, space, dice } = scene;
  const externalId = dice.once(3) ? (dice.pick(['u1', 'u2', 'u3']) as string) : null;
  return byKey(scene, {
    method: 'POST',
    path: '/v1/registrations',
    body: externalId === null ? {} : { profile: { externalId } },
    mayBeTwice: true,
    predict() {
      if (externalId !== null && space.users.some((user) => user.externalId === externalId))
        return refusal(409, 'external_id_conflict');
      return {
        status: 201,
        shows: { session: { state: 'awaiting_device', device_id: null, did: null, user_id: null } },
        commits: true,
        needsAnswer: true,
        apply({ session: { id }, pair }) {
          world.registrations.push({
            id,
            space,
            expiresAt: world.now() + 30 * MINUTE,
            externalId,
            state: 'awaiting_device',
            deviceId: null,
            phone: null,
            challengeNonce: null,
            userId: null,
            failures: 0,
          });
          learnCode(world, space, 'pair', id, pair.code);
          note(space, 'registration.started', id);
        },
      };
    },
  });
};

/** The ceremony that a code of a step opens: in that step's state, in its time, and the one that is named, if one is. */
function opened(
  world: World,
  code: Code | undefined,
  purpose: Code['purpose'],
  state: string,
  named: string | undefined,
): Registration | undefined {
  if (!world.isLive(code, purpose)) return undefined;
  const registration = world.registrations.find(({ id }) => id === code.subject);
  if (registration === undefined || world.stateOf(registration) !== state) return undefined;
  return named === undefined || named === registration.id ? registration : undefined;
}

/** The optional session_id: mostly none, else the code's own or another's. */
function someSession({ world, dice }: Scene, code: Code | undefined): { session_id?: string } {
  if (!dice.once(3)) return {};
  const other = dice.once(2) ? dice.pick(world.registrations)?.id : undefined;
  const id = other ?? code?.subject;
  return id === undefined ? {} : { session_id: id };
}

const pairDevice: Operation = (scene) => {
  const { world } = scene;
  const { text, code } = someCode(scene, 'pair');
  const fingerprint = someFingerprint(scene);
  const named = someSession(scene, code);
  return byPhone('/v1/registrations/pair-device', { pair_code: text, fingerprint, ...named }, () => {
    const registration = opened(world, code, 'pair', 'awaiting_device', named.session_id);
    if (registration === undefined || code === undefined) return refusal(404, 'pair_failed');
    const { space, id } = registration;
    if (world.isFingerprintTaken(space, fingerprint, true)) return refusal(404, 'pair_failed');
    return {
      status: 201,
      shows: { session_id: id, tenant_id: space.tenant.id, environment: space.environment },
      commits: true,
      needsAnswer: true,
      apply({ device_id, next }) {
        for (const device of space.devices)
          if (
            device.fingerprint === fingerprint &&
            device.enrollment_state === 'pending' &&
            world.isLeftBehind(device)
          )
            Object.assign(device, { status: 'retired', enrollment_state: 'revoked' });
        space.devices.push({
          id: device_id,
          name: 'Phone',
          externalId: null,
          status: 'inactive',
          enrollment_state: 'pending',
          fingerprint,
        });
        code.dead = true;
        Object.assign(registration, { state: 'awaiting_commitment', deviceId: device_id });
        learnCode(world, space, 'enroll', id, next.code);
        note(space, 'registration.device_paired', id);
      },
    };
  });
};

const submitCommitment: Operation = (scene) => {
  const { world, dice } = scene;
  const { text, code } = someCode(scene, 'enroll');
  const { phone } = dice.pick(world.people) as Prepared;
  const named = someSession(scene, code);
  const { did, commitment } = phone;
  return byPhone(
    '/v1/registrations/submit-commitment',
    { enroll_code: text, did, commitment, ...named },
    () => {
      const registration = opened(world, code, 'enroll', 'awaiting_commitment', named.session_id);
      if (registration === undefined || code === undefined) return refusal(404, 'enroll_failed');
      const { space, id } = registration;
      return {
        status: 201,
        shows: { session_id: id },
        commits: true,
        needsAnswer: true,
        apply({ next }) {
          code.dead = true;
          const challengeNonce = next.challenge_nonce;
          Object.assign(registration, { state: 'awaiting_verification', phone, challengeNonce });
          learnCode(world, space, 'verify', id, next.code);
          note(space, 'registration.commitment_submitted', id);
        },
      };
    },
  );
};

const complete: Operation = async (scene) => {
  const { world, dice } = scene;
  const { text, code } = someCode(scene, 'verify');
  const target = opened(world, code, 'verify', 'awaiting_verification', undefined);
  const isProved = target !== undefined && !dice.once(3);
  const named = someSession(scene, code);
  const { proof: bare } = dice.pick(world.people) as Prepared;
  const body =
    isProved && target
      ? await completeBody({
          id: target.id,
          tenantId: target.space.tenant.id,
          environment: target.space.environment,
          identity: target.phone as Prepared['phone'],
          fingerprint: '',
          pairCode: '',
          verifyCode: text,
          challengeNonce: target.challengeNonce as string,
        })
      : {
          verify_code: text,
          challenge_nonce: target?.challengeNonce ?? '00',
          proof: bare.proof,
          public_signals: bare.publicSignals,
        };
  return byPhone('/v1/registrations/complete', { ...body, ...named }, () => {
    const registration = opened(world, code, 'verify', 'awaiting_verification', named.session_id);
    if (registration === undefined || code === undefined) return refusal(404, 'verify_failed');
    const { space, id, externalId } = registration;
    const phone = registration.phone as Prepared['phone'];
    const device = space.devices.find((one) => one.id === registration.deviceId) as Device;
    const isFree =
      !space.identities.some(({ did, commitment }) => did === phone.did || commitment === phone.commitment) &&
      !space.users.some((user) => externalId !== null && user.externalId === externalId);
    const isWaiting = device.enrollment_state === 'pending' && device.status !== 'retired';
    if (!isProved || !isFree || !isWaiting) {
      const isLast = registration.failures === 4;
      return {
        ...refusal(404, 'verify_failed'),
        commits: isLast,
        apply() {
          registration.failures += 1;
          if (!isLast) return;
          world.closeRegistration(registration, 'abandoned');
          note(space, 'registration.abandoned', id, 'failure');
        },
      };
    }
    const fullName = externalId ?? 'Unnamed';
    const user = { fullName, externalId, primaryDeviceId: device.id, status: 'active' } as const;
    const enrolled = { enrollment_state: 'enrolled', status: 'active' } as const;
    return {
      status: 201,
      shows: { session_id: id, tenant_user: user, device: { ...device, ...enrolled } },
      commits: true,
      needsAnswer: true,
      apply({ tenant_user }) {
        code.dead = true;
        Object.assign(device, enrolled);
        Object.assign(registration, { state: 'completed', userId: tenant_user.id });
        space.users.push({ id: tenant_user.id, ...user });
        const { did, commitment } = phone;
        const made = { did, commitment, userId: tenant_user.id, deviceId: device.id };
        space.identities.push({ ...made, revoked: false, bound: false });
        note(space, 'device.enrolled', device.id);
        note(space, 'registration.completed', id);
      },
    };
  });
};

function someRegistration({ world, space, dice }: Scene): { id: string; own: Registration | undefined } {
  const found = dice.pick(world.registrations);
  return { id: found?.id ?? randomUUID(), own: found?.space === space ? found : undefined };
}

const showRegistration = (world: World, registration: Registration) => {
  const { id, deviceId, userId, phone } = registration;
  return {
    session: {
      id,
      state: world.stateOf(registration),
      device_id: deviceId,
      user_id: userId,
      did: phone?.did ?? null,
    },
  };
};

const pollRegistration: Operation = (scene) => {
  const { world } = scene;
  const { id, own } = someRegistration(scene);
  return byKey(scene, {
    method: 'GET',
    path: `/v1/registrations/${id}`,
    predict: () =>
      own === undefined
        ? refusal(404, 'session_not_found')
        : { status: 200, shows: showRegistration(world, own), commits: false },
  });
};

const abandon: Operation = (scene) => {
  const { world, space } = scene;
  const { id, own } = someRegistration(scene);
  return byKey(scene, {
    method: 'DELETE',
    path: `/v1/registrations/${id}`,
    mayBeTwice: true,
    predict() {
      if (own === undefined) return refusal(404, 'session_not_found');
      if (!world.stateOf(own).startsWith('awaiting_'))
        return { status: 200, shows: showRegistration(world, own), commits: false };
      return {
        status: 200,
        shows: { session: { id, state: 'abandoned' } },
        commits: true,
        apply() {
          world.closeRegistration(own, 'abandoned');
          note(space, 'registration.abandoned', id);
        },
      };
    },
  });
};

const registerIdentity: Operation = (scene) => {
  const { space, dice } = scene;
  const { phone } = dice.pick(scene.world.people) as Prepared;
  const other = dice.once(5) ? (dice.pick(scene.world.people) as Prepared).phone : phone;
  const externalId = dice.once(4) ? dice.pick(['u1', 'u2', 'u3']) : undefined;
  const { did } = phone;
  const { commitment } = other;
  const body = { did, commitment, ...(externalId && { externalId }) };
  const plan: Plan = {
    method: 'POST',
    path: '/v1/identity/register',
    body,
    mayBeTwice: true,
    predict() {
      const named = externalId ? space.users.find((user) => user.externalId === externalId) : undefined;
      const isHeld = space.identities.some(({ userId, revoked }) => userId === named?.id && !revoked);
      const refusals = [
        ...(named && isHeld ? ['external_id_conflict'] : []),
        ...(space.identities.some((identity) => identity.did === did) ? ['did_already_registered'] : []),
        ...(space.identities.some((identity) => identity.commitment === commitment && identity.did !== did)
          ? ['commitment_already_registered']
          : []),
      ];
      if (refusals.length > 0) return refusal(409, refusals);
      return {
        status: 201,
        shows: { did, commitment, ...(named && { userId: named.id }) },
        commits: true,
        needsAnswer: true,
        apply({ userId }) {
          if (named === undefined) {
            const fullName = externalId ?? 'Unnamed';
            const user = { fullName, externalId: externalId ?? null, primaryDeviceId: null } as const;
            space.users.push({ id: userId, ...user, status: 'active' });
          }
          space.identities.push({ did, commitment, userId, deviceId: null, revoked: false, bound: false });
          note(space, 'identity.register');
        },
      };
    },
  };
  const show =
    ({ userId }: Body) =>
    () => ({ userId, did, commitment });
  return byKey(scene, maybeIdempotent(scene, plan, show));
};

const revokeIdentity: Operation = (scene) => {
  const { world, space, dice } = scene;
  const { did } = (dice.pick(world.people) as Prepared).phone;
  return byKey(scene, {
    method: 'POST',
    path: '/v1/identity/revoke',
    body: { did },
    mayBeTwice: true,
    predict() {
      const identity = space.identities.find((one) => one.did === did);
      if (identity === undefined) return refusal(404, 'identity_not_found');
      const { commitment, userId } = identity;
      return {
        status: 200,
        shows: { identity: { did, commitment, userId } },
        commits: !identity.revoked,
        ...(!identity.revoked && {
          apply() {
            revoke(world, space, identity);
            note(space, 'identity.revoked');
          },
        }),
      };
    },
  });
};

/** The nonces of the bare proofs that were tried; a proof may be used again, a nonce may not. */
const verify: Operation = async (scene) => {
  const { world, space, dice, service } = scene;
  const registered = world.people.filter(({ phone }) =>
    space.identities.some(({ did }) => did === phone.did),
  );
  const { phone, proof } = (dice.pick(registered) ?? dice.pick(world.people)) as Prepared;
  const spent = dice.once(4) ? dice.pick([...space.nonces]) : undefined;
  const nonce = spent ?? randomUUID();
  const skew = [0, -5 * MINUTE, 5 * MINUTE, -5 * MINUTE - 1, 5 * MINUTE + 1][
    dice.once(5) ? dice.below(5) : 0
  ] as number;
  const timestamp = world.now() + skew;
  const { id: tenantId, allowsBareProofs } = space.tenant;
  const isBound = dice.once(10);
  const use = { tenantId, environment: space.environment, nonce, timestamp };
  const body = isBound ? await proveFor(service, phone, use) : { ...proof, did: phone.did, nonce, timestamp };
  return byKey(scene, {
    method: 'POST',
    path: '/v1/identity/verify',
    body,
    mayBeTwice: true,
    predict() {
      const identity = space.identities.find(({ did }) => did === phone.did);
      const user = space.users.find(({ id }) => id === identity?.userId);
      const isFresh = Math.abs(skew) <= 5 * MINUTE && Math.abs(timestamp - world.now()) <= 5 * MINUTE;
      const mayPass =
        identity !== undefined &&
        !identity.revoked &&
        identity.commitment === phone.commitment &&
        user?.status === 'active' &&
        isFresh &&
        !space.nonces.has(nonce) &&
        (isBound || (allowsBareProofs && !identity.bound));
      const event = { method: 'zkp', userId: identity?.userId ?? null, deviceId: null };
      if (!mayPass)
        return {
          ...refusal(401, 'verification_failed'),
          commits: true,
          apply() {
            space.verifications.push({ id: '', ...event, result: 'fail' });
            note(space, 'identity.verify', undefined, 'failure');
          },
        };
      return {
        status: 200,
        shows: { did: phone.did },
        commits: true,
        needsAnswer: true,
        apply(tokens) {
          space.nonces.add(nonce);
          identity.bound ||= isBound;
          space.verifications.push({ id: '', ...event, result: 'pass' });
          world.openSession(space, identity, tokens);
          note(space, 'identity.verify');
        },
      };
    },
  });
};

function someToken<T extends { readonly session: Session }>(
  { space, dice }: Scene,
  tokens: readonly T[],
): T | undefined {
  const mine = tokens.filter(({ session }) => session.space === space);
  return dice.once(6) || mine.length === 0
    ? dice.pick(tokens)
    : mine.at(-1 - dice.below(Math.min(mine.length, 4)));
}

function withSession(
  scene: Scene,
  method: string,
  path: string,
  predict: (session: Session) => Prediction,
): Plan {
  const { world, space } = scene;
  const token = someToken(scene, world.accessTokens);
  return byKey(scene, {
    method,
    path,
    ...(token && { headers: { 'x-session-token': token.text } }),
    mayBeTwice: true,
    predict() {
      if (token === undefined) return refusal(401, 'missing_session_token');
      const { session, expiresAt } = token;
      const isGood = session.space === space && expiresAt > world.now() && world.isAlive(session);
      return isGood ? predict(session) : refusal(401, 'invalid_session_token');
    },
  });
}

const whoAmI: Operation = (scene) =>
  withSession(scene, 'GET', '/v1/identity/me', ({ id, did, userId }) => ({
    status: 200,
    shows: { sessionId: id, did, user: { id: userId } },
    commits: false,
  }));

const logOut: Operation = (scene) =>
  withSession(scene, 'POST', '/v1/identity/logout', (session) => ({
    status: 200,
    shows: { loggedOut: true },
    commits: true,
    apply() {
      endSession(scene.world, session);
      note(scene.space, 'session.logged_out', session.id);
    },
  }));

function endSession(world: World, session: Session): void {
  world.endSessions(
    session.space,
    (one) => one === session || (one.pairingId !== null && one.pairingId === session.pairingId),
  );
}

const refresh: Operation = (scene) => {
  const { world, space, dice } = scene;
  const token = someToken(scene, world.refreshTokens);
  const key = dice.once(2) ? dice.pick(['retry-1', 'retry-2']) : undefined;
  return byKey(scene, {
    method: 'POST',
    path: '/v1/identity/refresh',
    body: { refreshToken: token?.text ?? 'nobody’s' },
    ...(key && { headers: { 'idempotency-key': key } }),
    mayBeTwice: key === undefined,
    predict() {
      const refused = refusal(401, 'invalid_refresh_token');
      if (token === undefined || token.session.space !== space || !world.isAlive(token.session))
        return refused;
      const { session, used } = token;
      if (used === undefined) {
        return {
          status: 200,
          shows: { sessionId: session.id, did: session.did },
          commits: true,
          needsAnswer: true,
          apply(tokens) {
            token.used = { at: world.now(), key, successor: world.addTokens(session, tokens) };
            note(space, 'session.refreshed', session.id);
          },
        };
      }
      const isRetry =
        key !== undefined &&
        used.key === key &&
        world.now() - used.at <= MINUTE &&
        used.successor.used === undefined;
      if (isRetry) return { status: 200, shows: { refreshToken: used.successor.text }, commits: false };
      return {
        ...refused,
        commits: true,
        apply() {
          endSession(world, session);
          note(space, 'session.revoked', session.id);
        },
      };
    },
  });
};

const openPairing: Operation = (scene) => {
  const { world, space } = scene;
  return byKey(scene, {
    method: 'POST',
    path: '/v1/proof-pairing/sessions',
    predict: () => ({
      status: 201,
      shows: { session: { state: 'issued' } },
      commits: true,
      needsAnswer: true,
      apply({ session: { id, nonce }, cookie }) {
        world.pairings.push({
          id,
          space,
          nonce,
          cookie,
          expiresAt: world.now() + 5 * MINUTE,
          state: 'issued',
        });
        note(space, 'pairing.session_created', id);
      },
    }),
  });
};

function somePairing({ world, space, dice }: Scene): { id: string; own: Pairing | undefined } {
  const mine = world.pairings.filter((pairing) => pairing.space === space);
  const found = dice.once(6) || mine.length === 0 ? dice.pick(world.pairings) : mine.at(-1);
  return { id: found?.id ?? randomUUID(), own: found?.space === space ? found : undefined };
}

const pollPairing: Operation = (scene) => {
  const { world, dice } = scene;
  const { id, own } = somePairing(scene);
  const holds = !dice.once(4);
  return byKey(scene, {
    method: 'GET',
    path: `/v1/proof-pairing/sessions/${id}`,
    ...(own && holds && { headers: { cookie: own.cookie } }),
    predict() {
      if (own === undefined) return refusal(404, 'pairing_session_not_found');
      if (!holds) return refusal(403, 'pairing_bind_mismatch');
      const state = own.state === 'issued' && own.expiresAt <= world.now() ? 'expired' : own.state;
      return { status: 200, shows: { session: { id, state } }, commits: false };
    },
  });
};

const submitPairing: Operation = async (scene) => {
  const { world, space, dice } = scene;
  const { id, own } = somePairing(scene);
  const registered = world.people.filter(({ phone }) =>
    space.identities.some(({ did }) => did === phone.did),
  );
  const { phone, proof } = (dice.pick(registered) ?? dice.pick(world.people)) as Prepared;
  const isBound = own !== undefined && own.state === 'issued' && own.expiresAt > world.now() && dice.once(2);
  const use = {
    tenantId: space.tenant.id,
    environment: space.environment,
    sessionId: id,
    nonce: own?.nonce ?? '',
  };
  const body = isBound ? await proveForPairing(phone, use) : { ...proof, did: phone.did };
  return byKey(scene, {
    method: 'POST',
    path: `/v1/proof-pairing/sessions/${id}/submit`,
    body,
    predict() {
      if (own === undefined) return refusal(404, 'pairing_session_not_found');
      if (own.expiresAt <= world.now()) return refusal(410, 'pairing_session_expired');
      if (own.state === 'bound') return refusal(409, 'pairing_session_already_bound');
      if (!isBound)
        return {
          ...refusal(401, 'pairing_nonce_mismatch'),
          commits: true,
          apply: () => note(space, 'pairing.binding_rejected', id, 'failure'),
        };
      const identity = space.identities.find(({ did }) => did === phone.did);
      const user = space.users.find((one) => one.id === identity?.userId);
      const event = { method: 'zkp', userId: identity?.userId ?? null, deviceId: null };
      const mayPass =
        identity !== undefined &&
        !identity.revoked &&
        identity.commitment === phone.commitment &&
        user?.status === 'active';
      if (!mayPass)
        return {
          ...refusal(401, 'verification_failed'),
          commits: true,
          apply() {
            space.verifications.push({ id: '', ...event, result: 'fail' });
            note(space, 'pairing.submit', id, 'failure');
          },
        };
      return {
        status: 200,
        shows: { session: { id, state: 'bound', did: phone.did, userId: identity.userId } },
        commits: true,
        needsAnswer: true,
        apply({ tokens }) {
          own.state = 'bound';
          identity.bound = true;
          space.verifications.push({ id: '', ...event, result: 'pass' });
          const { sid } = JSON.parse(Buffer.from(tokens.accessToken.split('.')[1], 'base64url').toString());
          world.openSession(space, identity, { ...tokens, sessionId: sid }, id);
          note(space, 'pairing.submit', id);
        },
      };
    },
  });
};

const createKey: Operation = (scene) => {
  const { world, space, dice } = scene;
  const { environment, tenant } = space;
  const expiresAt = dice.once(2) ? world.now() + 10 * MINUTE : null;
  return byConsole(scene, {
    method: 'POST',
    path: '/api/console/keys',
    body: {
      name: 'another',
      environment,
      ...(expiresAt !== null && { expiresAt: new Date(expiresAt).toISOString() }),
    },
    mayBeTwice: true,
    predict() {
      const isActive = ({ revoked, expiresAt: end }: Key) => !revoked && (end === null || end > world.now());
      if (tenant.keys.filter(isActive).length >= 10) return refusal(409, 'api_key_limit_reached');
      return {
        status: 201,
        shows: { apiKey: { environment, status: 'active' } },
        commits: true,
        needsAnswer: true,
        apply({ apiKey: { id, key: raw } }) {
          tenant.keys.push({ id, raw, environment, expiresAt, revoked: false });
          note(space, 'api_key.created', id);
        },
      };
    },
  });
};

/** Any but the first of each environment, which the operations go on with. */
const revokeKey: Operation = (scene) => {
  const { world, space, dice } = scene;
  const others = world.spaces.flatMap((one) => one.keys.slice(1).map((key) => ({ key, one })));
  const found = dice.pick(others);
  const id = found?.key.id ?? randomUUID();
  return byConsole(scene, {
    method: 'DELETE',
    path: `/api/console/keys/${id}`,
    mayBeTwice: true,
    predict() {
      if (found?.one.tenant !== space.tenant) return refusal(404, 'api_key_not_found');
      const { key, one } = found;
      return {
        status: 200,
        shows: { apiKey: { id, status: 'revoked' } },
        commits: !key.revoked,
        ...(!key.revoked && {
          apply() {
            key.revoked = true;
            note(one, 'api_key.revoked', id);
          },
        }),
      };
    },
  });
};

const list: Operation = (scene) => {
  const { space, dice } = scene;
  const kind = dice.pick(['devices', 'users'] as const) as 'devices' | 'users';
  const status = dice.pick([undefined, 'active', 'inactive']);
  const limit = 1 + dice.below(5);
  return byKey(scene, {
    method: 'GET',
    path: `/v1/${kind}?limit=${limit}${status ? `&status=${status}` : ''}`,
    predict() {
      const found = [...space[kind]]
        .filter((one) => status === undefined || one.status === status)
        .sort((left, right) => (left.id < right.id ? 1 : -1));
      const shown = found.slice(0, limit);
      return {
        status: 200,
        shows: {
          [kind]: shown,
          environment: space.environment,
          ...(found.length <= limit && { nextCursor: null }),
        },
        commits: false,
      };
    },
  });
};

/** How often each is chosen, and what it is. */
export const OPERATIONS: Readonly<Record<string, readonly [weight: number, Operation]>> = {
  createDevice: [5, createDevice],
  patchDevice: [4, patchDevice],
  createPending: [3, createPending],
  regenerate: [2, regenerate],
  revokeDevice: [2, revokeDevice],
  enrollDevice: [5, enrollDevice],
  createUser: [5, createUser],
  patchUser: [4, patchUser],
  createVerification: [4, createVerification],
  createAttendance: [4, createAttendance],
  openRegistration: [6, openRegistration],
  pairDevice: [7, pairDevice],
  submitCommitment: [6, submitCommitment],
  complete: [5, complete],
  pollRegistration: [3, pollRegistration],
  abandon: [2, abandon],
  registerIdentity: [6, registerIdentity],
  revokeIdentity: [1, revokeIdentity],
  verify: [8, verify],
  whoAmI: [4, whoAmI],
  logOut: [2, logOut],
  refresh: [7, refresh],
  openPairing: [3, openPairing],
  pollPairing: [2, pollPairing],
  submitPairing: [4, submitPairing],
  createKey: [3, createKey],
  revokeKey: [2, revokeKey],
  list: [4, list],
};
