import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createIdentity, type PhoneIdentity } from '@svc/zk/phone';
import type { Context, Options } from '../command.js';
import { UsageError } from '../failure.js';

/** Where the phone is somebody: a secret of its own for each, or its commitment would name its owner across them. */
export interface Enrollment {
  readonly baseUrl: string;
  readonly tenantId: string;
  readonly environment: string;
  readonly biometricSecret: string;
  readonly salt: string;
  readonly commitment: string;
  readonly did: string;
  /** Of the ceremony that is under way; null once it is done. */
  readonly sessionId: string | null;
}

export interface PhoneState {
  /** What the phone tells itself apart by as a device. */
  readonly fingerprint: string;
  readonly enrollments: readonly Enrollment[];
}

export interface PhoneFile {
  readonly path: string;
  /** There was no file: nothing is kept yet. */
  readonly isNew: boolean;
  readonly state: PhoneState;
  /** The newest enrollment that fits. */
  find(fits: (enrollment: Enrollment) => boolean): Enrollment | undefined;
  /** Writes the phone, and with it an enrollment: a finished one takes the place of all others of its place. */
  keep(enrollment?: Enrollment): void;
}

export const phonePath = ({ env }: Pick<Context, 'env'>, { phone }: Options): string =>
  String(phone ?? (env.SVC_PHONE || join(homedir(), '.svc-phone.json')));

/** Opens the phone, or makes one whose file is written with the first thing to keep. */
export function openPhone(path: string): PhoneFile {
  const found = readPhone(path);
  let state = found ?? { fingerprint: `phone:${randomBytes(16).toString('hex')}`, enrollments: [] };
  return {
    path,
    isNew: found === undefined,
    get state() {
      return state;
    },
    find: (fits) => state.enrollments.findLast(fits),
    keep(enrollment) {
      if (enrollment !== undefined) {
        const stays = (each: Enrollment) =>
          !isSamePlace(each, enrollment) ||
          (enrollment.sessionId !== null && each.sessionId !== enrollment.sessionId);
        state = { ...state, enrollments: [...state.enrollments.filter(stays), enrollment] };
      }
      write(path, state);
    },
  };
}

type Place = Pick<Enrollment, 'baseUrl' | 'tenantId' | 'environment'>;

export const isSamePlace = (left: Place, right: Place) =>
  left.baseUrl === right.baseUrl &&
  left.tenantId === right.tenantId &&
  left.environment === right.environment;

/** A fresh secret for one place. */
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

function readPhone(path: string): PhoneState | undefined {
  let text: string;
  try {
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
      throw new UsageError(`Others may read ${path}, and it holds secrets. Run: chmod 600 ${path}`);
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
    const isWhole = ({ biometricSecret, salt, ...texts }: Enrollment) =>
      [biometricSecret, salt].every((digits) => /^[0-9]{1,78}$/.test(digits)) &&
      [texts.baseUrl, texts.tenantId, texts.environment, texts.commitment, texts.did].every(
        (value) => typeof value === 'string',
      );
    return typeof fingerprint === 'string' && enrollments.every(isWhole)
      ? { fingerprint, enrollments }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Whole or not at all, and nobody else's to read from the moment it exists. */
function write(path: string, state: PhoneState): void {
  const beside = `${path}.${randomUUID()}`;
  try {
    writeFileSync(beside, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw new UsageError(`The phone's file cannot be written: ${(error as Error).message}`);
  }
}
