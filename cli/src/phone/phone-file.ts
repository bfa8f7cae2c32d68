import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createIdentity, type PhoneIdentity } from '@svc/zk/phone';
import type { Context, Options } from '../command.js';
import { UsageError } from '../failure.js';
import { briefly } from './file-lock.js';
import { isPasskey, type SoftwarePasskey } from './passkey/authenticator.js';

/** What a rotation replaces. */
interface Secret {
  readonly biometricSecret: string;
  readonly salt: string;
  readonly commitment: string;
}

/** A passkey whose attestation key the service has. */
export interface EnrolledPasskey extends SoftwarePasskey {
  /** The id of the attestation key. */
  readonly keyId: string;
}

/** A registration at one place. Each has its own secret, because a shared commitment would identify its owner across places. */
export interface Enrollment extends Secret {
  readonly baseUrl: string;
  readonly tenantId: string;
  readonly environment: string;
  readonly did: string;
  /** The ceremony's session while it is pending; null when it is completed. */
  readonly sessionId: string | null;
  /** Signs the proofs, if the phone enrolled one. */
  readonly passkey?: EnrolledPasskey;
  /** The new secret of a rotation, until it is known to be in force. */
  readonly renewed?: Secret;
}

export interface PhoneState {
  /** Identifies the phone as a device. */
  readonly fingerprint: string;
  readonly enrollments: readonly Enrollment[];
}

export interface PhoneFile {
  readonly path: string;
  /** Whether the file does not exist yet. */
  readonly isNew: boolean;
  readonly state: PhoneState;
  /** The newest enrollment that matches. */
  find(matches: (enrollment: Enrollment) => boolean): Enrollment | undefined;
  /**
   * Writes the phone, with an enrollment if given. A completed enrollment replaces all others of its place. The secrets of a completed
   * one stay as they are in the file, because another command may be replacing them.
   */
  save(enrollment?: Enrollment): void;
  /** Writes the secrets as well. Only the command that replaces them does this, while `oneAtATime` keeps others from it. */
  saveSecrets(enrollment: Enrollment): void;
  /** Stores that the service accepted the new secret with this commitment. Does nothing if the file has another one by now. */
  settle(commitment: string): void;
}

export const phonePath = ({ env }: Pick<Context, 'env'>, { phone }: Options): string =>
  String(phone ?? (env.SVC_PHONE || join(homedir(), '.svc-phone.json')));

/** Opens the phone, or creates one in memory; the first `save` writes its file. */
export function openPhone(path: string): PhoneFile {
  const found = readPhone(path);
  let state = found ?? { fingerprint: `phone:${randomBytes(16).toString('hex')}`, enrollments: [] };
  return {
    path,
    isNew: found === undefined,
    get state() {
      return state;
    },
    find: (matches) => state.enrollments.findLast(matches),
    save: (enrollment) => update((stored) => enrollment && withStoredSecrets(stored, enrollment)),
    saveSecrets: (enrollment) => update(() => enrollment),
    settle: (commitment) =>
      update(({ enrollments }) => {
        const rotating = enrollments.find(({ renewed }) => renewed?.commitment === commitment);
        return rotating && renewedOf(rotating);
      }),
  };

  /** Changes what the file has now: another command may have written it since it was read. */
  function update(change: (stored: PhoneState) => Enrollment | undefined): void {
    briefly(`${path}.lock`, () => {
      const stored = readPhone(path) ?? state;
      const enrollment = change(stored);
      state = enrollment === undefined ? stored : withEnrollment(stored, enrollment);
      write(path, state);
    });
  }
}

function withEnrollment(state: PhoneState, enrollment: Enrollment): PhoneState {
  const stays = (each: Enrollment) =>
    !isSamePlace(each, enrollment) ||
    (enrollment.sessionId !== null && each.sessionId !== enrollment.sessionId);
  return { ...state, enrollments: [...state.enrollments.filter(stays), enrollment] };
}

function withStoredSecrets({ enrollments }: PhoneState, enrollment: Enrollment): Enrollment {
  const stored = enrollments.find(
    (each) => each.sessionId === null && each.did === enrollment.did && isSamePlace(each, enrollment),
  );
  if (stored === undefined) return enrollment;
  const { renewed: _, ...rest } = enrollment;
  const { biometricSecret, salt, commitment, renewed } = stored;
  return { ...rest, biometricSecret, salt, commitment, ...(renewed && { renewed }) };
}

type Place = Pick<Enrollment, 'baseUrl' | 'tenantId' | 'environment'>;

export const isSamePlace = (left: Place, right: Place) =>
  left.baseUrl === right.baseUrl &&
  left.tenantId === right.tenantId &&
  left.environment === right.environment;

/** An enrollment with a new secret. */
export function newEnrollment(place: Place & Pick<Enrollment, 'sessionId'>): Enrollment {
  const { biometricSecret, salt, commitment, did } = createIdentity();
  return { ...place, biometricSecret: String(biometricSecret), salt: String(salt), commitment, did };
}

export const identityOf = ({ biometricSecret, salt, commitment, did }: Enrollment): PhoneIdentity => ({
  biometricSecret: BigInt(biometricSecret),
  salt: BigInt(salt),
  commitment,
  did,
});

/** The enrollment with the new secret of a rotation beside its own. */
export const withRenewed = (enrollment: Enrollment, renewed: PhoneIdentity): Enrollment => {
  const { biometricSecret, salt, commitment } = renewed;
  return {
    ...enrollment,
    renewed: { biometricSecret: String(biometricSecret), salt: String(salt), commitment },
  };
};

/** The enrollment after a rotation that has not been confirmed; undefined if there is none. */
export const renewedOf = ({ renewed, ...enrollment }: Enrollment): Enrollment | undefined =>
  renewed && { ...enrollment, ...renewed };

function readPhone(path: string): PhoneState | undefined {
  let text: string;
  try {
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
      throw new UsageError(`Other users can read ${path}, which contains secrets. Run: chmod 600 ${path}`);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (error instanceof UsageError) throw error;
    throw new UsageError(`The phone's file cannot be read: ${(error as Error).message}`);
  }
  const state = parse(text);
  if (state === undefined)
    throw new UsageError(
      `${path} is not a file of \`svc phone\`. Name another one with --phone or SVC_PHONE.`,
    );
  return state;
}

function parse(text: string): PhoneState | undefined {
  try {
    const { fingerprint, enrollments } = JSON.parse(text) as PhoneState;
    const isSecret = ({ biometricSecret, salt, commitment }: Secret) =>
      [biometricSecret, salt].every((digits) => /^[0-9]{1,78}$/.test(digits)) &&
      typeof commitment === 'string';
    const isComplete = ({ baseUrl, tenantId, environment, did, renewed, passkey, ...secret }: Enrollment) =>
      isSecret(secret) &&
      (passkey === undefined || (isPasskey(passkey) && typeof passkey.keyId === 'string')) &&
      (renewed === undefined || isSecret(renewed)) &&
      [baseUrl, tenantId, environment, did].every((value) => typeof value === 'string');
    return typeof fingerprint === 'string' && enrollments.every(isComplete)
      ? { fingerprint, enrollments }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Written atomically, and never readable by other users. */
function write(path: string, state: PhoneState): void {
  const temporary = `${path}.${randomUUID()}`;
  try {
    writeFileSync(temporary, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new UsageError(`The phone's file cannot be written: ${(error as Error).message}`);
  }
}
