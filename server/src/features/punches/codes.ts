import { equalSecrets } from '../../base/crypto/keyring.js';
import type { Deps } from '../../http/deps.js';
import type { Scope } from '../../ledger/audit-store.js';
import { codeUrl } from '../../model/deeplink.js';
import { iso } from '../../records/schema.js';

/** How long a code stays the newest. */
const SLOT_MS = 15_000;
/** A code counts until it is so many slots old: for a minute. */
const SLOTS = 4;
/** 96 bits, in base64url. */
const MAC_LENGTH = 16;
const FORM = /^svc:\/\/attend\?c=([A-Za-z0-9_-]{44})\.(\d{1,12})\.([A-Za-z0-9_-]{16})$/;

/** A code that any number of people use. It belongs to a device, which it names, or has an id of its own and no place. */
export interface AttendanceCode {
  readonly scope: Scope;
  readonly id: string;
  readonly deviceId: string | null;
}

type Keys = Pick<Deps, 'keyring'>;

const bytesOf = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex');
const uuidOf = (bytes: Buffer) =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** The parts in base64url: the account, the id, and a byte that says the environment and whether the id is that of a device. */
function nameOf({ scope, id, deviceId }: AttendanceCode): string {
  const kind = (scope.environment === 'live' ? 0 : 1) + (deviceId === null ? 0 : 2);
  return Buffer.concat([bytesOf(scope.tenantId), bytesOf(id), Buffer.from([kind])]).toString('base64url');
}

function codeNamed(name: string): AttendanceCode | undefined {
  const bytes = Buffer.from(name, 'base64url');
  const kind = bytes[32];
  if (kind === undefined || kind > 3 || bytes.toString('base64url') !== name) return undefined;
  const id = uuidOf(bytes.subarray(16, 32));
  const environment = kind % 2 === 0 ? 'live' : 'test';
  return {
    scope: { tenantId: uuidOf(bytes.subarray(0, 16)), environment },
    ...{ id, deviceId: kind > 1 ? id : null },
  };
}

const shortened = (hex: string) => Buffer.from(hex, 'hex').toString('base64url').slice(0, MAC_LENGTH);

export const msToNextSlot = (now: number): number => SLOT_MS - (now % SLOT_MS);

/** The code as it is shown now. Nothing is stored: the service knows its own codes by their MAC. */
export function showCode(deps: Keys & Pick<Deps, 'config'>, code: AttendanceCode, now: number) {
  const slot = Math.floor(now / SLOT_MS);
  const text = `${nameOf(code)}.${slot}`;
  const value = `svc://attend?c=${text}.${shortened(deps.keyring.hmac('attendance', text))}`;
  return {
    id: code.id,
    value,
    url: codeUrl(deps.config.baseUrl, value),
    refreshesAt: iso(new Date((slot + 1) * SLOT_MS)),
    expiresAt: iso(new Date((slot + SLOTS) * SLOT_MS)),
  };
}

/** The code that somebody has scanned. Undefined unless the service made it, and within the last minute. */
export function readCode({ keyring }: Keys, value: string, now: number): AttendanceCode | undefined {
  const [, name = '', slot = '', mac = ''] = FORM.exec(value) ?? [];
  const text = `${name}.${slot}`;
  const isOurs = keyring.hmacs('attendance', text).some((hex) => equalSecrets(shortened(hex), mac));
  const age = Math.floor(now / SLOT_MS) - Number(slot);
  if (!isOurs || age < 0 || age >= SLOTS) return undefined;
  return codeNamed(name);
}
