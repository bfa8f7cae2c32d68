import { isSvcError } from '@svc/sdk';
import { additionDigits, commitToOpening } from '@svc/zk/rendezvous';
import { productName } from '../../ui/product-name';
import { readAccountName } from '../account-name';
import { type Brand, loadBrand } from '../company/brand';
import { type Identity, replaceOlder } from '../identities/identity';
import { t } from '../language/strings';
import { PhoneError } from '../messages';
import { whenOnline } from '../offline/online';
import { runInProver } from '../prover/prover';
import type { SealedIdentity } from '../prover/work';
import { SERVICE, svc } from '../service';
import { change, read, readAll } from '../vault/database';
import {
  createProtection,
  discardProtection,
  type Protection,
  type ProtectionKind,
  unlock,
} from '../vault/protection';
import { createRandom, whenChanged } from './rendezvous';

/**
 * This phone while another one adds it. It is stored before each step that depends on it, so that a closed page can continue. At
 * the end its identity moves to the phone's identities in one transaction.
 */
export interface Joining extends SealedIdentity {
  /** The code of the other phone. */
  readonly code: string;
  readonly protection: Protection;
  /** Opens the commitment `c`. 64 lower-case hex digits. */
  readonly b: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** What the code led to. */
  readonly found?: Found;
  /** Set when the identity was sent, so that the other phone can add it from now on. */
  readonly isOpened?: boolean;
}

export interface Found extends Pick<Identity, 'tenantId' | 'environment' | 'companyName'> {
  /** The addition's ID. */
  readonly id: string;
  /** The other phone's identity. */
  readonly did: string;
  readonly brand?: Brand | undefined;
  readonly expiresAt: string;
}

/** A phone that has joined, with the key that encrypts its secret. */
export interface Joined {
  readonly joining: Joining & { readonly found: Found };
  readonly key: CryptoKey;
}

export type Stage = 'creating' | 'waiting' | 'joining' | 'meeting' | 'loading' | 'proving' | 'sending';
interface Watch {
  readonly signal: AbortSignal;
  onStage(stage: Stage): void;
}

export const JOININGS = ['joinings'] as const;

const save = <J extends Joining>(joining: J): Promise<J> =>
  change(['joinings'], (store) => store('joinings').put(joining)).then(() => joining);
export async function deleteJoining({
  code,
  protection,
}: Pick<Joining, 'code' | 'protection'>): Promise<void> {
  await change(['joinings'], (store) => store('joinings').delete(code));
  discardProtection(protection);
}

/** Locks the addition across screens and tabs, because each code works only once. */
const withLock = async <T>(code: string, work: () => Promise<T>): Promise<T> =>
  navigator.locks.request(`joining:${code}`, work);

/**
 * Creates this phone's identity and commits to it, which shows the company that adds it. An identity whose code does not work is
 * deleted.
 */
export const join = (code: string, wanted: ProtectionKind, { signal, onStage }: Watch): Promise<Joined> =>
  withLock(code, async () => {
    onStage('creating');
    const { protection, key } = await createProtection(wanted, productName);
    const sealed = await runInProver({ kind: 'create', key });
    const joining = await save({
      ...sealed,
      ...{ code, protection, b: createRandom(), startedAt: new Date().toISOString() },
    });
    // Browsers may clear data unless asked to persist it. Some ask the person first, so don't wait for the reply.
    void navigator.storage?.persist?.().catch(() => undefined);
    try {
      await whenOnline(signal, () => onStage('waiting'));
      onStage('joining');
      const c = commitToOpening(openingOf(joining));
      const addition = await svc.phone.additions.join(code, c, { signal });
      return { joining: await save({ ...joining, found: await foundOf(addition) }), key };
    } catch (error) {
      // After a lost response too: the code works only once, so another attempt needs a new one.
      await deleteJoining(joining);
      throw error;
    }
  });

/** What this phone commits to before it knows anything of the other one. */
const openingOf = ({ did, commitment, b }: Joining) => ({ newDid: did, newCommitment: commitment, b });

type JoinedAddition = Awaited<ReturnType<typeof svc.phone.additions.join>>;

async function foundOf({ companyName, accentColor, logoUrl, ...rest }: JoinedAddition): Promise<Found> {
  const brand = await loadBrand({ accent_color: accentColor, logo_url: logoUrl });
  const { id, tenantId, environment, did, expiresAt } = rest;
  return { id, tenantId, environment, did, expiresAt, companyName: readAccountName(companyName), brand };
}

/** Opens what this phone committed to, once the other phone has answered, and returns the six digits. */
export const openIdentity = ({ joining, key }: Joined, { signal, onStage }: Watch): Promise<string> =>
  withLock(joining.code, () =>
    ending(joining, async () => {
      const { id, did, tenantId, environment } = joining.found;
      onStage('meeting');
      const { a, nonce, timestamp, state } = await whenChanged(id, 'joined', signal);
      if (state === 'rejected' || a === null || nonce === null || timestamp === null) throw new NotAdded();
      const digits = additionDigits({ rendezvousId: id, did, a, ...openingOf(joining) });
      // Opened before the page was closed.
      if (state !== 'revealed') return digits;
      const use = { tenantId, environment, nonce, timestamp };
      const proof = await runInProver({ kind: 'join', key, identity: joining, use, did }, onStage);
      await whenOnline(signal, () => onStage('waiting'));
      onStage('sending');
      // Stored before sending, because from now on the other phone may add this one even if this page is closed.
      await save({ ...joining, isOpened: true });
      await svc.phone.additions.answer(id, { ...proof, b: joining.b }, { signal });
      return digits;
    }),
  );

/** Waits for the other phone's decision and stores the identity. @throws NotAdded, Unconfirmed */
export const awaitDecision = (joining: Joined['joining'], signal: AbortSignal): Promise<Identity> =>
  ending(joining, async () => {
    const { state, inForceAt } = await whenChanged(joining.found.id, 'opened', signal);
    if (state !== 'completed') throw new NotAdded();
    return finish(joining, { confirmed: true, inForceAt: inForceAt ?? undefined });
  });

/** The other phone rejected this one, or ended the addition. The identity was deleted. */
export class NotAdded extends PhoneError {
  constructor() {
    super('addition_rejected', t.errors.codes.addition_rejected);
  }
}

/**
 * The addition expired after this phone had sent its identity, so only the other phone or a sign-in shows whether it was added. The
 * identity was stored.
 */
export class Unconfirmed extends PhoneError {
  constructor() {
    super('addition_unconfirmed', t.phones.joining.unconfirmedText);
  }
}

/** Deletes an identity that will not be added. */
async function ending<T>(joining: Joined['joining'], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isOver = error instanceof NotAdded || isSvcError(error, 'verification_failed');
    if (isOver) await deleteJoining(joining);
    else if (isSvcError(error, 'addition_not_found') && (await endExpired(joining))) throw new Unconfirmed();
    throw error;
  }
}

/** Ends an addition that has expired. Returns whether its identity was stored, because it may have been added. */
async function endExpired(joining: Joined['joining']): Promise<boolean> {
  const stored = await read<Joining>('joinings', joining.code);
  if (stored?.isOpened) await finish(joining, { confirmed: false });
  else await deleteJoining(joining);
  return stored?.isOpened === true;
}

/** Ends the addition and stores its identity. An older one of the account is kept until the new one is confirmed. */
async function finish(
  joining: Joined['joining'],
  known: Pick<Identity, 'confirmed' | 'inForceAt'>,
): Promise<Identity> {
  const { did, commitment, secret, protection, code } = joining;
  const { tenantId, environment, companyName, brand } = joining.found;
  const identity: Identity = {
    ...{ id: did, did, commitment, secret, protection, tenantId, environment, companyName, brand },
    ...known,
    baseUrl: SERVICE,
    fingerprint: `phone:${createRandom().slice(0, 32)}`,
    createdAt: new Date().toISOString(),
    isAdded: true,
  };
  await change(['identities', 'joinings'], (store) => {
    store('joinings').delete(code);
    if (known.confirmed) return replaceOlder(store('identities'), identity);
    return store('identities').put(identity);
  });
  return identity;
}

/** Longer than a code is valid. */
const STALE_MS = 10 * 60_000;

/** The additions that can go on after the page was closed. Ends those that can't. */
export async function readUnfinished(): Promise<Joined['joining'][]> {
  const unfinished: Joined['joining'][] = [];
  for (const joining of await readAll<Joining>('joinings')) {
    const { found } = joining;
    if (found === undefined) {
      if (Date.now() - Date.parse(joining.startedAt) > STALE_MS) await deleteJoining(joining);
    } else if (Date.parse(found.expiresAt) > svc.serverNow()) unfinished.push({ ...joining, found });
    else await endExpired({ ...joining, found });
  }
  return unfinished;
}

/** The addition again, with its key. @throws NotUnlocked */
export const resume = async (joining: Joined['joining']): Promise<Joined> => ({
  joining,
  key: await unlock(joining.protection),
});
