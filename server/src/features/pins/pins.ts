import { hash } from 'node:crypto';
import { attendancePinBind } from '@svc/zk/field';
import type { Static } from 'typebox';
import { fail, invalid } from '../../base/errors.js';
import type { Hit, Window } from '../../cluster/rate-limit.js';
import type { Deps } from '../../http/deps.js';
import type { ConsolePrincipal, DevicePrincipal, StaffPrincipal } from '../../http/principal.js';
import type { ScopedContext } from '../../http/route.js';
import type { Read, Write } from '../../ledger/write.js';
import { iso } from '../../records/schema.js';
import { decide, type PhoneCaller, prove } from '../proofs/proofs.js';
import { requireOwnPerson, siteOfDevice } from '../sites/sites.js';
import { requireLiving } from '../users/users.js';
import type { NumberAndPin, PhonePinBody } from './pins.schema.js';
import * as store from './pins.store.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Wrong PINs of one number, of one desk, and of one site: with a million PINs, a night of guessing finds one in ten thousand. */
const windowsOf = (siteId: string, deviceId: string, number: string): readonly Window[] => [
  [`pins|number|${siteId}|${number}`, 5, 15 * MINUTE_MS],
  [`pins|day|${siteId}|${number}`, 20, DAY_MS],
  [`pins|desk|${deviceId}`, 20, 15 * MINUTE_MS],
  [`pins|site|${siteId}`, 100, DAY_MS],
];

export type DeskContext = Pick<ScopedContext, 'scope' | 'read' | 'write'> & {
  readonly deps: Pick<Deps, 'clock' | 'ids' | 'limiter' | 'passwords' | 'random'>;
  readonly principal: DevicePrincipal;
};

/** PINs that somebody would try first. */
const isGuessable = (pin: string): boolean =>
  /^(\d)\1{5}$/.test(pin) || '01234567890123456789'.includes(pin) || '98765432109876543210'.includes(pin);

function requirePin(pin: string, path: string): string {
  if (isGuessable(pin)) invalid(path, 'must not be one digit six times, or six digits in a row');
  return pin;
}

/**
 * The person whose number and PIN these are, at the site of the desk. An unknown number, one without a PIN and a wrong PIN are the same 401
 * after the same work. Tries are counted before they are judged, so that many at the same time are not more.
 */
export async function personByPin(
  { deps, read, write, principal }: DeskContext,
  { number, pin }: NumberAndPin,
): Promise<store.NumberedPerson> {
  const deviceId = principal.device.id;
  const site = (await siteOfDevice(read, deviceId)) ?? fail('desk_without_site');
  const hits: Hit[] = [];
  for (const window of windowsOf(site.id, deviceId, number)) {
    const hit = await deps.limiter.hit(...window);
    hits.push(hit);
    if (hit.allowed) continue;
    for (const { refund } of hits.slice(0, -1)) await refund();
    const seconds = Math.ceil((hit.retryAt - deps.clock.now()) / 1000);
    return fail('pin_locked', { retryAfterSeconds: Math.max(1, seconds) });
  }
  const person = await store.findByNumber(read, site.id, number);
  const isRight = await deps.passwords.verify(person?.pin_hash ?? undefined, pin);
  if (person === undefined || !isRight) {
    if (hits[0]?.remaining === 0) await auditLocked(write, person?.id, { siteId: site.id, deviceId });
    return fail('pin_rejected');
  }
  for (const { refund } of hits) await refund();
  return person;
}

const auditPin = (w: Write, userId: string, by: store.PinSetter): void =>
  w.audit({ action: 'attendance.pin_set', entityType: 'user', entityId: userId, metadata: { by } });

/** Somebody may be guessing. The entry has no number, because it may be one of nobody. */
const auditLocked = (
  write: DeskContext['write'],
  userId: string | undefined,
  metadata: { readonly siteId: string; readonly deviceId: string },
): Promise<void> =>
  write('attendance.pin_locked', async (w) => {
    const about =
      userId === undefined
        ? { entityType: 'site', entityId: metadata.siteId }
        : { entityType: 'user', entityId: userId };
    w.audit({ ...about, status: 'failure', metadata });
  });

/** The person sets another PIN with the one that they have. */
export async function changePin(
  context: DeskContext,
  { newPin, ...known }: NumberAndPin & { readonly newPin: string },
) {
  const { deps, write } = context;
  requirePin(newPin, 'body.newPin');
  const { id } = await personByPin(context, known);
  if (newPin === known.pin) invalid('body.newPin', 'must be another one');
  const hashed = await deps.passwords.hash(newPin);
  const now = new Date(deps.clock.now());
  await write('attendance.pin_set', async (w) => {
    auditPin(w, id, 'pin');
    await store.putPin(w, id, { hash: hashed, mustChange: false, by: 'pin' }, now);
  });
  return { pin: { setAt: iso(now) } };
}

/** A member beside the person draws a PIN, which is shown once and has to be changed at its first use. */
export async function drawPin(
  { deps, read, write }: Omit<DeskContext, 'principal'> & { readonly principal: StaffPrincipal },
  userId: string,
) {
  const { id } = await requireLiving(read, userId);
  const pin = draw(deps.random);
  const hashed = await deps.passwords.hash(pin);
  const now = new Date(deps.clock.now());
  await write('attendance.pin_set', async (w) => {
    auditPin(w, id, 'desk');
    await store.putPin(w, id, { hash: hashed, mustChange: true, by: 'desk' }, now);
  });
  return { pin };
}

/** Six digits, each number as likely as any other, but for those that somebody would try first. */
function draw(random: Pick<Deps['random'], 'bytes'>): string {
  for (;;) {
    const value = Buffer.from(random.bytes(4)).readUInt32BE();
    const pin = String(value % 1_000_000).padStart(6, '0');
    if (value < 4_294_000_000 && !isGuessable(pin)) return pin;
  }
}

/** Takes the PIN of a person away, who sees it on their phone. */
export async function resetPin(
  context: Pick<ScopedContext, 'read' | 'write'> & {
    readonly deps: Pick<Deps, 'clock'>;
    readonly principal: ConsolePrincipal;
  },
  userId: string,
) {
  const { deps, write } = context;
  const { id } = await requireOwnPerson(context, userId);
  const now = new Date(deps.clock.now());
  await write('attendance.pin_set', async (w) => {
    auditPin(w, id, 'reset');
    await store.putPin(w, id, { hash: null, mustChange: false, by: 'reset' }, now);
  });
  return { pin: { setAt: iso(now) } };
}

/** The person sets their PIN on their phone. The proof is bound to a hash of it with the nonce, so nobody can put another one in. */
export async function setPinByPhone(
  caller: PhoneCaller & { readonly deps: Pick<Deps, 'passwords'> },
  input: Static<typeof PhonePinBody>,
) {
  const { pin } = input;
  const pinHash = hash('sha256', `svc-pin-v1|${input.nonce.toLowerCase()}|${pin}`);
  const proved = await prove(caller, {
    ...{ purpose: 'attendance-pin', action: 'attendance.pin_set', input },
    bindOf: (use) => attendancePinBind({ ...use, pinHash }),
    confirms: false,
  });
  requirePin(pin, 'body.pin');
  const hashed = await caller.deps.passwords.hash(pin);
  await decide(caller, proved, async (w, prover) => {
    auditPin(w, prover.user_id, 'phone');
    await store.putPin(w, prover.user_id, { hash: hashed, mustChange: false, by: 'phone' }, proved.at);
  });
  return { pin: { setAt: iso(proved.at) } };
}

/** What a phone shows of its person's PIN. */
export async function readPin(read: Read, userId: string) {
  const pin = await store.findPin(read, userId);
  return pin ? { setBy: pin.set_by, setAt: iso(pin.set_at), mustChange: pin.must_change } : null;
}

/** Deletes the PIN of a person who is erased. */
export const erasePin = (w: Write, userId: string): Promise<void> => store.deletePin(w, userId);
