import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  applyChanges,
  type Identity,
  type Joining,
  type Opening,
  type Registration,
  type Secret,
  type Stored,
  type Vault,
} from '@svc/sdk/phone';
import type { PhoneIdentity } from '@svc/sdk/prover';
import type { KeptTree, Punch, PunchReceipt } from '@svc/sdk/time';
import type { Context, Options } from '../command.js';
import { UsageError } from '../failure.js';
import { briefly, oneAtATime } from './file-lock.js';
import { isPasskey, type SoftwarePasskey } from './passkey/authenticator.js';

/** A secret as the phone's file has it, in decimal digits, with the passkey that signs its proofs. */
export interface FileSecret extends Secret {
  readonly biometricSecret: string;
  readonly salt: string;
  readonly passkey?: SoftwarePasskey | undefined;
}

/** A registration at one place. */
export type Enrollment = Identity<FileSecret>;

type Place = Pick<Enrollment, 'baseUrl' | 'tenantId' | 'environment'>;

/** What the phone keeps of its person's working time at one place, also after it has left. */
export interface TimeAtPlace extends Place {
  /** Of the list that was read last. */
  readonly tree?: KeptTree | undefined;
  readonly receipts: readonly PunchReceipt[];
  /** A punch whose answer was lost. */
  readonly unanswered?: Punch | undefined;
}

/** The file. Each place has its own secret, because a shared commitment would identify its owner across places. */
export interface PhoneState {
  /** Identifies the phone as a device. */
  readonly fingerprint: string;
  readonly enrollments: readonly Enrollment[];
  readonly ceremonies: readonly (Registration<FileSecret> | Opening)[];
  readonly joinings: readonly Joining<FileSecret>[];
  readonly time: readonly TimeAtPlace[];
}

export interface PhoneFile {
  readonly path: string;
  /** Whether the file does not exist yet. */
  readonly isNew: boolean;
  /** As the file is now. */
  readonly state: PhoneState;
  readonly vault: Vault<FileSecret>;
  timeAt(place: Place): TimeAtPlace;
  changeTime(place: Place, next: (time: TimeAtPlace) => Partial<TimeAtPlace>): void;
  /** The newest enrollment that matches. */
  find(matches: (enrollment: Enrollment) => boolean): Enrollment | undefined;
  /** Writes the file, so that its fingerprint stays. */
  save(): void;
}

export const phonePath = ({ env }: Pick<Context, 'env'>, { phone }: Options): string =>
  String(phone ?? (env.SVC_PHONE || join(homedir(), '.svc-phone.json')));

/** Opens the phone, or creates one in memory; the first change writes its file. */
export function openPhone(path: string): PhoneFile {
  const found = readPhone(path);
  const empty: PhoneState = found ?? {
    fingerprint: `phone:${randomBytes(16).toString('hex')}`,
    ...{ enrollments: [], ceremonies: [], joinings: [], time: [] },
  };
  const read = () => readPhone(path) ?? empty;
  /** Changes what the file has now: another command may have written it since it was read. */
  const change = (next: (state: PhoneState) => PhoneState) =>
    briefly(`${path}.lock`, () => write(path, next(read())));
  return {
    path,
    isNew: found === undefined,
    get state() {
      return read();
    },
    find: (matches) => read().enrollments.findLast(matches),
    save: () => change((state) => state),
    timeAt: (place) => timeIn(read(), place),
    changeTime: (place, next) =>
      change((state) => {
        const time = timeIn(state, place);
        const others = state.time.filter((each) => !isSamePlace(each, place));
        return { ...state, time: [...others, { ...time, ...next(time) }] };
      }),
    vault: {
      read: async () => storedIn(read()),
      change: async (work) =>
        change((state) => {
          const stored = storedIn(state);
          const { identities: enrollments, ...others } = applyChanges(stored, work(stored));
          return { ...state, enrollments, ...others };
        }),
      alone: (name, work) => oneAtATime(`${path}.${shortHash(name)}`, work),
    },
  };
}

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

const storedIn = ({ enrollments, ceremonies, joinings }: PhoneState): Stored<FileSecret> => ({
  identities: enrollments,
  ...{ ceremonies, joinings },
});

export const isSamePlace = (left: Place, right: Place) =>
  left.baseUrl === right.baseUrl &&
  left.tenantId === right.tenantId &&
  left.environment === right.environment;

function timeIn({ time }: PhoneState, { baseUrl, tenantId, environment }: Place): TimeAtPlace {
  const place = { baseUrl, tenantId, environment };
  return time.find((each) => isSamePlace(each, place)) ?? { ...place, receipts: [] };
}

/** A secret for the file. */
export const textOf = ({ biometricSecret, salt, commitment, did }: PhoneIdentity): FileSecret => ({
  biometricSecret: String(biometricSecret),
  salt: String(salt),
  commitment,
  did,
});

export const identityOf = ({ biometricSecret, salt, commitment, did }: FileSecret): PhoneIdentity => ({
  biometricSecret: BigInt(biometricSecret),
  salt: BigInt(salt),
  commitment,
  did,
});

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
    const state = JSON.parse(text) as PhoneState;
    const { fingerprint, enrollments, ceremonies = [], joinings = [], time = [] } = state;
    const completed = (enrollments as readonly Earlier[])
      .filter(({ sessionId }) => typeof sessionId !== 'string')
      .map((enrollment) => upToDate(enrollment, fingerprint));
    return typeof fingerprint === 'string' && completed.every(isComplete)
      ? { fingerprint, enrollments: completed, ceremonies, joinings, time }
      : undefined;
  } catch {
    return undefined;
  }
}

/** An enrollment as earlier versions wrote it. They left out what had not been completed when they ended, which can't go on. */
type Earlier = Enrollment & {
  readonly sessionId?: string | null;
  readonly renewed?: Pick<FileSecret, 'biometricSecret' | 'salt' | 'commitment'>;
  readonly passkey?: SoftwarePasskey & { readonly keyId?: string };
};

function upToDate({ sessionId: _, renewed, passkey, ...rest }: Earlier, fingerprint: string): Enrollment {
  const attestationKeyId = rest.attestationKeyId ?? passkey?.keyId;
  return {
    ...{ id: rest.did, fingerprint, createdAt: new Date(0).toISOString(), confirmed: true },
    ...rest,
    // The time is unknown, so both secrets are kept until the new one is known to be in force.
    ...(renewed && { renewal: { ...renewed, startedAt: '' } }),
    ...(passkey && { passkey }),
    ...(attestationKeyId !== undefined && { attestationKeyId }),
  };
}

function isComplete({ baseUrl, tenantId, environment, did, renewal, passkey, ...secret }: Enrollment) {
  return (
    isSecret(secret) &&
    (passkey === undefined || isPasskey(passkey)) &&
    (renewal === undefined || isSecret(renewal)) &&
    [baseUrl, tenantId, environment, did].every((value) => typeof value === 'string')
  );
}

const isSecret = ({ biometricSecret, salt, commitment }: Partial<FileSecret>) =>
  [biometricSecret, salt].every((digits) => /^[0-9]{1,78}$/.test(String(digits))) &&
  typeof commitment === 'string';

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
