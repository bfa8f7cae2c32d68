// @module-tag if-touched sdk/ zk/src/ server/src/features/ @core: phones have a fault at each call of a port, some 300 times
import { isSvcError, parseDeeplink } from '@svc/sdk';
import {
  type AttestationKeys,
  add,
  approvePairing,
  attest,
  awaitAdded,
  contest,
  decide,
  declinePairing,
  findForCode,
  forgetIdentity,
  invite,
  join,
  meet,
  openIdentity,
  type PhonePorts,
  readInbox,
  readPhones,
  register,
  revoke,
  rotate,
  startRegistration,
  unfinishedJoinings,
  verify,
  type Watch,
} from '@svc/sdk/phone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../server/src/db/sql.js';
import { approvalKey, openApproval } from '../../../server/test/support/approvals.js';
import { PhonePasskey } from '../../../server/test/support/attestation.js';
import { openPairing } from '../../../server/test/support/pairing.js';
import { fetchFrom, type Open, phoneOf, secretOf } from '../../../server/test/support/phones.js';
import { openDesk, openRecovery, setPolicy } from '../../../server/test/support/recoveries.js';
import { type Account, type Service, startService } from '../../../server/test/support/service.js';
import { memoryVault } from './memory-vault.js';
import { Died, type Fault, Life, mortal, mortalParts } from './mortal.js';

let service: Service;
let account: Account;
/** A key that asks for approvals. */
let approver: string;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
  approver = await approvalKey(service, account);
});
afterAll(() => service.close());

type Phone = PhonePorts<Open>;

/** A phone's storage, and the phone with it in each of its lives. */
class Owner {
  readonly vault = memoryVault<Open>();

  phone(life = new Life()): Phone {
    const parts = mortalParts({ vault: this.vault, fetch: fetchFrom(service) }, life);
    return mortal(phoneOf(service, { ...parts, keys: this.keys }), life);
  }

  /** Whether a key is kept with a second copy of the secret. */
  hasCopy = false;
  readonly #passkey = new PhonePasskey();
  readonly keys: AttestationKeys<Open> = {
    ...this.#passkey.keys,
    make: async (identity, digest, watch) => ({
      ...(await this.#passkey.keys.make(identity, digest, watch)),
      kept: this.hasCopy ? secretOf(identity) : undefined,
    }),
  };

  get id(): string {
    const [identity, ...others] = this.vault.stored().identities;
    expect(others).toEqual([]);
    return String(identity?.id);
  }
}

/** Runs an act with a fault, then again from what the vault has. `again` follows a fault, and defaults to the act itself. */
async function once<T>(
  owner: Owner,
  life: Life,
  act: (phone: Phone, watch: Watch) => Promise<T>,
  again: (phone: Phone) => Promise<T> = (phone) => act(phone, {}),
): Promise<T> {
  try {
    return await act(owner.phone(life), { signal: life.signal });
  } catch (error) {
    if (!life.isOver) throw error;
  }
  return again(owner.phone());
}

/** Runs it with a fault at the first call of a port, at the second one, and so on, until an act has no further call. */
async function atEveryCall(fault: Fault, run: (life: Life) => Promise<void>): Promise<void> {
  for (let last = 1; ; last += 1) {
    const life = new Life(last, fault);
    try {
      await run(life);
    } catch (cause) {
      throw new Error(`with a fault at call ${last}`, { cause });
    }
    if (!life.isOver) return expect(last).toBeGreaterThan(4);
  }
}

async function openRegistration(body: object = {}) {
  const reply = await service.call('POST', '/v1/registrations', { as: account.key, body });
  expect(reply.status).toBe(201);
  const link = parseDeeplink(reply.body.pair.deeplink);
  if (link.kind !== 'registration') throw new Error('no link of a registration');
  return link;
}

async function registered(): Promise<Owner> {
  const owner = new Owner();
  const link = await openRegistration();
  await startRegistration(owner.phone(), link);
  await register(owner.phone(), link.session);
  return owner;
}

/** The person's user ID if the phone's only secret opens a session, which is what an identity is for. */
async function usable(owner: Owner): Promise<string> {
  const nonce = await service.call('GET', '/v1/auth/zkp/nonce', { as: account.key });
  const body = await verify(owner.phone(), owner.id, { ...nonce.body });
  const reply = await service.call('POST', '/v1/identity/verify', { as: account.key, body });
  expect(reply.status, reply.text).toBe(200);
  const headers = { 'x-session-token': reply.body.accessToken };
  const me = await service.call('GET', '/v1/identity/me', { as: account.key, headers });
  return me.body.user.id;
}

const unlessOver =
  (...codes: string[]) =>
  (error: unknown) => {
    if (!isSvcError(error, ...codes)) throw error;
  };

describe.each(['dies', 'fails once'] as const)('a phone that %s at a call of a port', (fault) => {
  it('register: has one secret, which one person is registered with, or scans another code', async () => {
    await atEveryCall(fault, async (life) => {
      const owner = new Owner();
      const run =
        (link: Awaited<ReturnType<typeof openRegistration>>) => async (phone: Phone, watch: Watch) => {
          await startRegistration(phone, link, watch);
          await register(phone, link.session, watch);
        };
      const first = await openRegistration();
      await once(owner, life, run(first), async (phone) => {
        await run(first)(phone, {}).catch(async (error) => {
          if (isSvcError(error, 'registration_unconfirmed', 'registration_over')) {
            // A use shows whether it counts.
            await readPhones(phone, owner.id);
            return;
          }
          if (!isSvcError(error, 'pair_failed', 'enroll_failed')) throw error;
          // The code is used up, because the phone is registered, or the desk shows another one.
          if (owner.vault.stored().identities.length > 0) return;
          expect(owner.vault.stored()).toEqual({ identities: [], ceremonies: [], joinings: [] });
          await run(await openRegistration())(phone, {});
        });
      });
      expect(owner.vault.stored().ceremonies).toEqual([]);
      expect(owner.vault.stored().identities[0]).toMatchObject({ confirmed: true });
      await usable(owner);
    });
  });

  it('verify: proves again with the secret that is in force', async () => {
    const owner = await registered();
    await atEveryCall(fault, async (life) => {
      const nonce = await service.call('GET', '/v1/auth/zkp/nonce', { as: account.key });
      await once(owner, life, (phone, watch) => verify(phone, owner.id, { ...nonce.body }, watch));
      await usable(owner);
    });
  });

  it('rotate: has one secret, which is in force [phones/which-secret-works]', async () => {
    const owner = await registered();
    await atEveryCall(fault, async (life) => {
      const { commitment } = owner.vault.stored().identities[0] as Open;
      await once(owner, life, (phone, watch) => rotate(phone, owner.id, watch).then(() => undefined));
      const [after] = owner.vault.stored().identities;
      expect(after?.renewal).toBeUndefined();
      expect(after?.commitment).not.toBe(commitment);
      await usable(owner);
      // An account allows a few changes a day.
      service.clock.advance(24 * 60 * 60_000);
    });
  });

  it('pair: signs the desktop in once', async () => {
    const owner = await registered();
    await atEveryCall(fault, async (life) => {
      const { id, qrPayload } = await openPairing(service, account.key);
      await once(owner, life, async (phone, watch) => {
        const found = await findForCode(phone, qrPayload);
        await approvePairing(phone, found, {}, watch).catch(unlessOver('pairing_session_already_bound'));
      });
      expect(await stateOf(id)).toBe('bound');
    });
  });

  it('decline a pairing: ends it', async () => {
    const owner = await registered();
    await atEveryCall(fault, async (life) => {
      const { id, qrPayload } = await openPairing(service, account.key);
      await once(owner, life, async (phone) => {
        const found = await findForCode(phone, qrPayload);
        const { scanTicket } = await phone.service.phone.pairing.context(found.code);
        await declinePairing(phone, found, { reason: 'not_me', scanTicket });
      }).catch(unlessOver('pairing_session_closed', 'pairing_session_not_found'));
      expect(await stateOf(id)).toBe('declined');
    });
  });

  it.each(['approve', 'decline'] as const)('%s: decides once', async (decision) => {
    const owner = await registered();
    const userId = await usable(owner);
    await atEveryCall(fault, async (life) => {
      const { id } = await openApproval(service, approver, [userId]);
      await once(owner, life, async (phone, watch) => {
        const { statements } = await readInbox(phone, owner.id, watch);
        const statement = statements.find(({ approvalId }) => approvalId === id);
        if (statement) await decide(phone, owner.id, statement, { decision }, watch);
      });
      const { body } = await service.call('GET', `/v1/approvals/${id}`, { as: approver });
      expect(body.approval.state).toBe(decision === 'approve' ? 'approved' : 'declined');
      expect(body.approval.decisions).toHaveLength(1);
    });
  });

  it.each(['add', 'join'] as const)(
    '%s: both phones can be used, or nobody was added and another code adds the phone',
    async (has) => {
      const old = await registered();
      const userId = await usable(old);
      await atEveryCall(fault, async (life) => {
        const joining = new Owner();
        const lives = has === 'add' ? [life, new Life()] : [new Life(), life];
        await meetAndAdd(old, lives[0] as Life, joining, lives[1] as Life);
        if (!(await wasAdded(joining))) {
          await meetAndAdd(old, new Life(), joining, new Life());
          expect(await wasAdded(joining)).toBe(true);
        }
        expect(joining.vault.stored().joinings).toEqual([]);
        expect([await usable(old), await usable(joining)]).toEqual([userId, userId]);
        const { identities } = await readPhones(old.phone(), old.id);
        expect(identities).toHaveLength(2);
        await revoke(old.phone(), old.id, joining.id);
        // A person can get 20 identities a day, and open a few additions an hour.
        service.clock.advance(24 * 60 * 60_000);
      });
    },
  );

  it.each([
    ['', false],
    [', kept with a second copy of the secret', true],
  ] as const)('attest: has one key%s, which the service knows', async (_, hasCopy) => {
    await atEveryCall(fault, async (life) => {
      const owner = await registered();
      owner.hasCopy = hasCopy;
      await once(owner, life, (phone, watch) => attest(phone, owner.id, watch).then(() => undefined));
      const [after] = owner.vault.stored().identities;
      const { identities } = await readPhones(owner.phone(), owner.id);
      expect(identities.find(({ isThis }) => isThis)?.attestationKeyId).toBe(after?.attestationKeyId);
      expect(after?.attestationKeyId).toBeDefined();
      expect(after?.successor).toBeUndefined();
      await usable(owner);
    });
  });

  it('revoke: the phone’s own identity is gone from both sides', async () => {
    await atEveryCall(fault, async (life) => {
      const owner = await registered();
      const { id } = owner;
      await once(owner, life, async (phone, watch) => {
        if (owner.vault.stored().identities.length > 0) await revoke(phone, id, id, watch);
      });
      expect(owner.vault.stored().identities).toEqual([]);
    });
  });

  it('revoke: another phone is revoked, and this one is not', async () => {
    const owner = await registered();
    await atEveryCall(fault, async (life) => {
      const other = new Owner();
      await meetAndAdd(owner, new Life(), other, new Life());
      await once(owner, life, (phone, watch) => revoke(phone, owner.id, other.id, watch)).catch(
        unlessOver('identity_not_found'),
      );
      expect((await readPhones(owner.phone(), owner.id)).identities).toHaveLength(1);
      await usable(owner);
      service.clock.advance(24 * 60 * 60_000);
    });
  });

  it('contest: ends the recovery', async () => {
    const desk = await openDesk(service);
    const before = account;
    account = desk;
    const policy = { protect_identities: true, recovery_cooldown_hours: 24 };
    await setPolicy(service, desk, policy);
    const owner = await registered();
    const userId = await usable(owner);
    await atEveryCall(fault, async (life) => {
      const { c } = await openRecovery(service, desk, userId, desk.byRecoverer);
      await once(owner, life, (phone, watch) =>
        contest(phone, owner.id, c.id, watch).then(() => undefined),
      ).catch(unlessOver('recovery_closed'));
      expect((await readPhones(owner.phone(), owner.id)).recoveries).toEqual([]);
      await usable(owner);
    });
    account = before;
  });
});

/** Longer than an addition can go on, and than one that was never answered is kept. */
const expire = () => service.clock.advance(11 * 60_000);

/** One phone adds the other one. The one that dies goes on with what it has stored. */
async function meetAndAdd(old: Owner, oldLife: Life, joining: Owner, newLife: Life): Promise<void> {
  const phone = old.phone(oldLife);
  const [oldWatch, newWatch] = [{ signal: oldLife.signal }, { signal: newLife.signal }];
  const invitation = await invite(phone, old.id, oldWatch).catch((error: unknown) => {
    if (!oldLife.isOver) throw error;
  });
  if (invitation === undefined) return;
  const { code } = invitation;
  let [show, hide]: [(digits: string) => void, (error: unknown) => void] = [() => {}, () => {}];
  const shown = new Promise<string>((resolve, reject) => {
    [show, hide] = [resolve, reject];
  });
  shown.catch(() => undefined);
  const showing = async (other: Phone, watch: Watch) => {
    show(await openIdentity(other, code, watch));
    return awaitAdded(other, code, watch);
  };
  const oldSide = meet(phone, invitation, {}, oldWatch).then(async (met) =>
    add(phone, invitation, met, await shown, oldWatch),
  );
  const newSide = (async () => {
    const other = joining.phone(newLife);
    try {
      await join(other, code, newWatch);
      return await showing(other, newWatch);
    } catch (error) {
      if (!newLife.isOver) throw error;
    }
    const [unfinished] = await unfinishedJoinings(joining.phone());
    if (unfinished === undefined) throw new Died();
    return showing(joining.phone(), {});
  })();
  let failure: unknown;
  const sides = [oldSide, newSide].map((side) =>
    side.catch((error: unknown) => {
      hide(error);
      if (!oldLife.isOver && !newLife.isOver) failure ??= error;
      expire();
    }),
  );
  await Promise.all(sides);
  if (failure !== undefined) throw failure;
  await unfinishedJoinings(joining.phone());
}

/** Whether the phone has an identity that the service accepts. One that it does not accept is removed, as a person would. */
async function wasAdded(joining: Owner): Promise<boolean> {
  const [identity] = joining.vault.stored().identities;
  if (identity === undefined) return false;
  try {
    await readPhones(joining.phone(), identity.id);
    return true;
  } catch (error) {
    if (!isSvcError(error, 'verification_failed')) throw error;
    await forgetIdentity(joining.phone(), identity.id);
    return false;
  }
}

/** The state of a pairing session. */
async function stateOf(id: string): Promise<string | undefined> {
  const [row] = await service.db.query<{ state: string }>(
    sql`select state from proof_pairing_sessions where id = ${id}`,
  );
  return row?.state;
}
