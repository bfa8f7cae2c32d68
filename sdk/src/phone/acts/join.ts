import { isSvcError, SvcError } from '../../transport/errors.js';
import type { Reply } from '../../transport/transport.js';
import { readAccountName } from '../account-name.js';
import { commitToIdentity, digitsToShow } from '../digits.js';
import { whenChanged } from '../patience.js';
import { type PhonePorts, store, type Watch, whenOnline } from '../ports.js';
import { createFingerprint, createRandom } from '../random.js';
import {
  createdAfter,
  type Found,
  type Identity,
  type IdentityFacts,
  type Joined,
  type Joining,
  replacingOlder,
  type Secret,
} from '../records.js';

/** @internal Locks the addition across screens and tabs, because each code works only once. */
const alone = <S extends Secret, T>({ vault }: PhonePorts<S>, code: string, work: () => Promise<T>) =>
  vault.alone(`joining:${code}`, work);

const save = async <S extends Secret, J extends Joining<S>>(phone: PhonePorts<S>, record: J): Promise<J> => {
  await store(phone, () => [{ put: 'joinings', record }]);
  return record;
};

/** Deletes an addition that is over, with the secret of its identity. */
export async function discardJoining<S extends Secret>(
  phone: PhonePorts<S>,
  joining: Joining<S>,
): Promise<void> {
  await store(phone, () => [{ remove: 'joinings', id: joining.code }]);
  phone.prover.forget?.(joining);
}

/**
 * Creates this phone's identity and commits to it, which shows the company that adds it. An identity whose code does not work is
 * deleted.
 */
export const join = <S extends Secret>(
  phone: PhonePorts<S>,
  code: string,
  watch: Watch = {},
): Promise<Joined<S>> =>
  alone(phone, code, async () => {
    const before = (await phone.vault.read()).joinings.find((each) => each.code === code);
    if (before?.found !== undefined) return before as Joined<S>;
    watch.onStage?.('creating');
    const joining = before ?? (await create(phone, code));
    try {
      await whenOnline(phone, watch);
      watch.onStage?.('joining');
      const c = commitToIdentity(joining, joining.b);
      const addition = await phone.service.phone.additions.join(code, c, { signal: watch.signal });
      return await save<S, Joined<S>>(phone, { ...joining, found: await foundOf(phone, addition) });
    } catch (error) {
      // After a lost response too: the code works only once, so another attempt needs a new one.
      await discardJoining(phone, joining);
      throw error;
    }
  });

async function create<S extends Secret>(phone: PhonePorts<S>, code: string): Promise<Joining<S>> {
  const secret = await phone.prover.create();
  const startedAt = new Date(phone.service.serverNow()).toISOString();
  return save(phone, { ...secret, code, b: createRandom(), startedAt });
}

async function foundOf<S extends Secret>(
  { describe }: PhonePorts<S>,
  addition: Reply<'joinAddition'>['addition'],
): Promise<Found> {
  const { id, tenantId, environment, did, expiresAt, accentColor, logoUrl } = addition;
  const companyName = readAccountName(addition.companyName);
  const described = await describe?.({ name: companyName, accentColor, logoUrl });
  return { id, tenantId, environment, did, expiresAt, companyName, ...described };
}

async function joinedBy<S extends Secret>({ vault }: PhonePorts<S>, code: string): Promise<Joined<S>> {
  const joining = (await vault.read()).joinings.find((each) => each.code === code);
  if (joining?.found === undefined) throw new NotAdded();
  return joining as Joined<S>;
}

/** Opens what this phone committed to, once the other phone has answered, and returns the six digits. */
export const openIdentity = <S extends Secret>(
  phone: PhonePorts<S>,
  code: string,
  watch: Watch = {},
): Promise<string> =>
  alone(phone, code, async () => {
    const joining = await joinedBy(phone, code);
    return ending(phone, joining, async () => {
      const { id, did, tenantId, environment } = joining.found;
      watch.onStage?.('meeting');
      const { a, nonce, timestamp, state } = await whenChanged(phone, id, 'joined', watch);
      if (state === 'rejected' || a === null || nonce === null || timestamp === null) throw new NotAdded();
      const digits = digitsToShow(joining, { id, did, a, b: joining.b });
      // Opened before the phone died.
      if (state !== 'revealed') return digits;
      const work = { kind: 'join', use: { tenantId, environment, nonce, timestamp }, did } as const;
      const proof = await phone.prover.prove(joining, work, (stage) => watch.onStage?.(stage));
      await whenOnline(phone, watch);
      watch.onStage?.('sending');
      // Stored before sending, because from now on the other phone may add this one even if this one dies.
      await save(phone, { ...joining, isOpened: true });
      await phone.service.phone.additions.answer(id, { ...proof, b: joining.b }, { signal: watch.signal });
      return digits;
    });
  });

/** Waits for the other phone's decision and stores the identity. @throws SvcError `addition_rejected`, `addition_unconfirmed` */
export async function awaitAdded<S extends Secret>(
  phone: PhonePorts<S>,
  code: string,
  watch: Watch = {},
): Promise<Identity<S>> {
  const joining = await joinedBy(phone, code);
  return ending(phone, joining, async () => {
    const { state, inForceAt } = await whenChanged(phone, joining.found.id, 'opened', watch);
    if (state !== 'completed') throw new NotAdded();
    return finish(phone, joining, { confirmed: true, inForceAt: inForceAt ?? undefined });
  });
}

/** The other phone rejected this one, or ended the addition. The identity was deleted. */
class NotAdded extends SvcError {
  constructor() {
    super('addition_rejected', 'The other phone rejected this one, or ended the addition.');
  }
}

/** Deletes an identity that will not be added. */
async function ending<S extends Secret, T>(
  phone: PhonePorts<S>,
  joining: Joined<S>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isOver = error instanceof NotAdded || isSvcError(error, 'verification_failed');
    if (isOver) await discardJoining(phone, joining);
    else if (isSvcError(error, 'addition_not_found') && (await endExpired(phone, joining)))
      throw new SvcError(
        'addition_unconfirmed',
        'The addition expired after this phone had sent its identity, so only the other phone, or a use of this one, shows whether it was added.',
        { cause: error },
      );
    throw error;
  }
}

/** Ends an addition that has expired. Returns whether its identity was stored, because it may have been added. */
async function endExpired<S extends Secret>(phone: PhonePorts<S>, joining: Joined<S>): Promise<boolean> {
  const { joinings } = await phone.vault.read();
  const stored = joinings.find(({ code }) => code === joining.code);
  if (stored?.isOpened) await finish(phone, joining, { confirmed: false });
  else await discardJoining(phone, joining);
  return stored?.isOpened === true;
}

/** Ends the addition and stores its identity. An older one of the account is kept until the new one is confirmed. */
async function finish<S extends Secret>(
  phone: PhonePorts<S>,
  joining: Joined<S>,
  known: Pick<IdentityFacts<S>, 'confirmed' | 'inForceAt'>,
): Promise<Identity<S>> {
  const { code, b: _, startedAt: __, found, isOpened: ___, ...secret } = joining;
  const { tenantId, environment, companyName, brand } = found;
  const identity = {
    ...secret,
    ...{ id: joining.did, tenantId, environment, companyName, brand, ...known },
    baseUrl: phone.service.baseUrl,
    fingerprint: createFingerprint(),
    createdAt: createdAfter(await phone.vault.read(), phone.service.serverNow()),
    isAdded: true,
  } as unknown as Identity<S>;
  await store(phone, (stored) => [
    { remove: 'joinings', id: code },
    ...(known.confirmed
      ? replacingOlder(stored, identity)
      : [{ put: 'identities' as const, record: identity }]),
  ]);
  return identity;
}

/** Longer than a code is valid. */
const STALE_MS = 10 * 60_000;

/**
 * The additions that can go on after the phone died. Ends those that can't, by the service's clock: with the phone's own, a wrong one would
 * delete an identity that is being added. Without a network, nothing is ended.
 */
export async function unfinishedJoinings<S extends Secret>(
  phone: PhonePorts<S>,
  watch: Watch = {},
): Promise<Joined<S>[]> {
  const { joinings } = await phone.vault.read();
  const unfinished = joinings.filter((each): each is Joined<S> => each.found !== undefined);
  const now = await timeOf(phone, joinings, watch);
  if (now === undefined) return unfinished;
  for (const joining of joinings) {
    if (joining.found === undefined && now - Date.parse(joining.startedAt) > STALE_MS)
      await discardJoining(phone, joining);
    if (joining.found && Date.parse(joining.found.expiresAt) <= now)
      await endExpired(phone, joining as Joined<S>);
  }
  return unfinished.filter(({ found }) => Date.parse(found.expiresAt) > now);
}

/** The service's time, asked for only if something may be over. */
async function timeOf<S extends Secret>(
  { service }: PhonePorts<S>,
  joinings: readonly Joining<S>[],
  { signal }: Watch,
): Promise<number | undefined> {
  if (joinings.length === 0) return undefined;
  const place = { tenantId: '', environment: 'live' } as const;
  const use = await service.phone.createUse(place, { signal }).catch(() => undefined);
  return use?.timestamp;
}
