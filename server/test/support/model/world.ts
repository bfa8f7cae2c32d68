import type { PhoneIdentity } from '@svc/zk/phone';
import type { Environment } from '../../../src/model/environment.js';

/**
 * An in-memory model of the contract for a few accounts: a second implementation of SPEC and DECISIONS, without a database
 * or locks. The service generates ids, codes and tokens. The model reads them from the responses.
 */

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export interface Device {
  readonly id: string;
  name: string;
  externalId: string | null;
  status: 'active' | 'inactive' | 'retired';
  enrollment_state: 'pending' | 'enrolled' | 'revoked';
  fingerprint: string | null;
}

export interface User {
  readonly id: string;
  fullName: string;
  externalId: string | null;
  primaryDeviceId: string | null;
  status: 'active' | 'inactive';
}

export interface Verification {
  /** Always empty after a proof, as the response has no verification id. */
  id: string;
  readonly method: string;
  readonly result: string;
  readonly userId: string | null;
  readonly deviceId: string | null;
}

export interface Attendance {
  readonly id: string;
  readonly userId: string;
  readonly type: string;
  readonly verificationId: string | null;
  readonly result: string;
}

export interface Identity {
  readonly did: string;
  readonly commitment: string;
  readonly userId: string;
  readonly deviceId: string | null;
  revoked: boolean;
  /** Whether a bound proof has been used. Unbound proofs then fail. */
  bound: boolean;
}

export interface Code {
  readonly text: string;
  readonly purpose: 'device' | 'pair' | 'enroll' | 'verify';
  readonly space: Space;
  /** The device or the ceremony. */
  readonly subject: string;
  readonly expiresAt: number;
  /** Used, or void because it was replaced or its subject ended. */
  dead: boolean;
}

export interface Registration {
  readonly id: string;
  readonly space: Space;
  readonly expiresAt: number;
  readonly externalId: string | null;
  state: string;
  deviceId: string | null;
  phone: PhoneIdentity | null;
  challengeNonce: string | null;
  userId: string | null;
  failures: number;
}

export interface Pairing {
  readonly id: string;
  readonly space: Space;
  readonly nonce: string;
  readonly cookie: string;
  readonly expiresAt: number;
  state: 'issued' | 'bound' | 'declined';
}

export interface Session {
  readonly id: string;
  readonly space: Space;
  readonly did: string;
  readonly userId: string;
  /** The sessions of one pairing end together. */
  readonly pairingId: string | null;
  ended: boolean;
}

export interface AccessToken {
  readonly text: string;
  readonly session: Session;
  readonly expiresAt: number;
}

export interface RefreshToken {
  readonly text: string;
  readonly session: Session;
  used?: { readonly at: number; readonly key: string | undefined; readonly successor: RefreshToken };
}

export interface Key {
  readonly id: string;
  readonly raw: string;
  readonly environment: Environment;
  readonly expiresAt: number | null;
  revoked: boolean;
}

export interface Event {
  readonly action: string;
  readonly status: 'success' | 'failure';
  /** Undefined if no response contains it. Several if two simultaneous requests ran in either order. */
  readonly entityId?: string | readonly string[] | undefined;
}

export interface Replayable {
  readonly body: string;
  /** Returns the current record for a replayed response. */
  readonly serialize: () => object;
  readonly expiresAt: number;
}

/** A tenant's records in one environment, isolated from all others. */
export class Space {
  readonly tenant: Tenant;
  readonly environment: Environment;
  readonly devices: Device[] = [];
  readonly users: User[] = [];
  readonly verifications: Verification[] = [];
  readonly attendance: Attendance[] = [];
  readonly identities: Identity[] = [];
  /** Used nonces, each with the time until which it is stored at least. */
  readonly nonces = new Map<string, number>();
  readonly idempotent = new Map<string, Replayable>();
  readonly audit: Event[] = [];

  constructor(tenant: Tenant, environment: Environment) {
    this.tenant = tenant;
    this.environment = environment;
  }

  get keys(): Key[] {
    return this.tenant.keys.filter((key) => key.environment === this.environment);
  }
}

export interface Tenant {
  readonly id: string;
  readonly token: string;
  readonly tokenExpiresAt: number;
  readonly keys: Key[];
  readonly allowsUnboundProofs: boolean;
  /** Only a recovery gives a person who ever had an identity another one. */
  readonly protectsIdentities: boolean;
}

/** A phone with an unbound proof, generated once for all runs. */
export interface Prepared {
  readonly phone: PhoneIdentity;
  readonly proof: { readonly proof: object; readonly publicSignals: readonly string[] };
}

export class World {
  readonly spaces: Space[];
  readonly people: readonly Prepared[];
  readonly codes: Code[] = [];
  readonly registrations: Registration[] = [];
  readonly pairings: Pairing[] = [];
  readonly sessions: Session[] = [];
  readonly accessTokens: AccessToken[] = [];
  readonly refreshTokens: RefreshToken[] = [];
  readonly fingerprints: readonly string[];
  readonly now: () => number;

  constructor(tenants: readonly Tenant[], people: readonly Prepared[], name: string, now: () => number) {
    this.spaces = tenants.flatMap((tenant) => [new Space(tenant, 'live'), new Space(tenant, 'test')]);
    this.people = people;
    this.now = now;
    this.fingerprints = [1, 2, 3, 4].map((number) => `fp:of-the-model-${name}-${number}`);
  }

  /** Ends the live codes of a device or a ceremony. */
  voidCodes(subject: string): void {
    for (const code of this.codes) if (code.subject === subject) code.dead = true;
  }

  isLive(code: Code | undefined, purpose: Code['purpose']): code is Code {
    return code !== undefined && code.purpose === purpose && !code.dead && code.expiresAt > this.now();
  }

  /** A ceremony's state. An overdue one is expired. */
  stateOf(registration: Registration): string {
    const isOpen = registration.state.startsWith('awaiting_');
    return isOpen && registration.expiresAt <= this.now() ? 'expired' : registration.state;
  }

  /** Whether another device has this fingerprint. Revoked and retired devices don't count, nor the phone of an expired ceremony. */
  isFingerprintTaken(space: Space, fingerprint: string, byCeremony: boolean): boolean {
    return space.devices.some(
      (device) =>
        device.fingerprint === fingerprint &&
        device.enrollment_state !== 'revoked' &&
        device.status !== 'retired' &&
        !(byCeremony && device.enrollment_state === 'pending' && this.isOfExpiredCeremony(device)),
    );
  }

  isOfExpiredCeremony(device: Device): boolean {
    return this.registrations.some(
      (registration) => registration.deviceId === device.id && registration.expiresAt <= this.now(),
    );
  }

  /** Ends a ceremony before it is completed. */
  closeRegistration(registration: Registration, state: 'abandoned' | 'expired'): void {
    registration.state = state;
    this.voidCodes(registration.id);
    const device = registration.space.devices.find(({ id }) => id === registration.deviceId);
    if (device) Object.assign(device, { status: 'retired', enrollment_state: 'revoked' });
  }

  endSessions(space: Space, isAffected: (session: Session) => boolean): void {
    for (const session of this.sessions)
      if (session.space === space && isAffected(session)) session.ended = true;
  }

  /** The sessions of one pairing end together. */
  endSession({ space, id, pairingId }: Session): void {
    this.endSessions(space, (one) => one.id === id || (pairingId !== null && one.pairingId === pairingId));
  }

  revoke(space: Space, identity: Identity): void {
    identity.revoked = true;
    this.endSessions(space, ({ did }) => did === identity.did);
  }

  isAlive({ space, did, userId, ended }: Session): boolean {
    const identity = space.identities.find((one) => one.did === did);
    const user = space.users.find(({ id }) => id === userId);
    return !ended && identity?.revoked === false && user?.status === 'active';
  }

  openSession(
    space: Space,
    identity: Pick<Identity, 'did' | 'userId'>,
    tokens: { sessionId: string; accessToken: string; refreshToken: string },
    pairingId: string | null = null,
  ): void {
    const { did, userId } = identity;
    const session: Session = { id: tokens.sessionId, space, did, userId, pairingId, ended: false };
    this.sessions.push(session);
    this.addTokens(session, tokens);
  }

  addTokens(session: Session, tokens: { accessToken: string; refreshToken: string }): RefreshToken {
    const expiresAt = (Math.floor(this.now() / 1000) + 3600) * 1000;
    this.accessTokens.push({ text: tokens.accessToken, session, expiresAt });
    const refreshToken: RefreshToken = { text: tokens.refreshToken, session };
    this.refreshTokens.push(refreshToken);
    return refreshToken;
  }
}
