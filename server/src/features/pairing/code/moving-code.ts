import { equalSecrets } from '../../../base/crypto/keyring.js';
import type { Random } from '../../../base/crypto/random.js';
import type { Deps } from '../../../http/deps.js';
import type { Scope } from '../../../ledger/audit-store.js';

/** How long a QR code stays the newest. */
const SLOT_MS = 10_000;
const TICKET_MS = 120_000;
/** 96 bits, in base64url. */
const MAC_LENGTH = 16;

/** A session that codes, tickets and numbers belong to. */
export interface Coded {
  readonly scope: Scope;
  readonly id: string;
}

type Keys = Pick<Deps, 'keyring'>;

const textOf = ({ scope, id }: Coded, kind: string, value: string | number) =>
  [kind, scope.tenantId, scope.environment, id, value].join('|');

const shortened = (hex: string) => Buffer.from(hex, 'hex').toString('base64url').slice(0, MAC_LENGTH);

const sign = ({ keyring }: Keys, text: string) => shortened(keyring.hmac('pairing', text));
const isSigned = ({ keyring }: Keys, text: string, mac: string) =>
  keyring.hmacs('pairing', text).some((hex) => equalSecrets(shortened(hex), mac));

export const slotAt = (now: number) => Math.floor(now / SLOT_MS);
export const msToNextSlot = (now: number) => SLOT_MS - (now % SLOT_MS);

/** The last two fields of a moving code: its slot and what signs it. */
export function movingFields(keys: Keys, session: Coded, slot: number): string {
  return `${slot}:${sign(keys, textOf(session, 'slot', slot))}`;
}

export interface Slot {
  readonly slot: number;
  readonly slotMac: string;
}

/** Whether a scanned code is one of this session, however old. */
export const isOwnSlot = (keys: Keys, session: Coded, { slot, slotMac }: Slot): boolean =>
  isSigned(keys, textOf(session, 'slot', slot), slotMac);

/** Whether a scanned code is the newest or the one before. */
export function isFreshSlot(keys: Keys, session: Coded, scan: Slot, now: number): boolean {
  const age = slotAt(now) - scan.slot;
  return (age === 0 || age === 1) && isOwnSlot(keys, session, scan);
}

/** Proof that a code was fresh when it was scanned, for a person who takes longer than a code lives. */
export function issueTicket(keys: Keys, session: Coded, now: number): string {
  const expiry = Math.floor((now + TICKET_MS) / 1000);
  return `${expiry}.${sign(keys, textOf(session, 'ticket', expiry))}`;
}

export function isValidTicket(keys: Keys, session: Coded, ticket: string, now: number): boolean {
  const [expiry = '', mac = ''] = ticket.split('.');
  return Number(expiry) * 1000 > now && isSigned(keys, textOf(session, 'ticket', expiry), mac);
}

/** Two digits, each number as likely as any other. */
export function drawNumber(random: Random): string {
  for (;;) {
    const [byte = 255] = random.bytes(1);
    if (byte < 200) return String(byte % 100).padStart(2, '0');
  }
}

/** How a number is stored. A hundred numbers could be tried on a hash without a key. */
export const hashNumber = ({ keyring }: Keys, session: Coded, number: string) =>
  keyring.hmac('pairing', textOf(session, 'number', number));

export const isNumber = ({ keyring }: Keys, session: Coded, number: string, hash: string) =>
  keyring.hmacs('pairing', textOf(session, 'number', number)).some((own) => equalSecrets(own, hash));
