import { type ApprovalStatement, parseDeeplink, SvcError } from '@svc/sdk';
import {
  add,
  approvePairing,
  attest,
  awaitAdded,
  contest,
  decide,
  findForCode,
  invite,
  join,
  meet,
  openIdentity,
  readInbox,
  readPhones,
  register,
  revoke,
  rotate,
  startRegistration,
  unfinishedJoinings,
  type Vault,
} from '@svc/sdk/phone';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approvalKey, openApproval } from '../../../server/test/support/approvals.js';
import { PhonePasskey } from '../../../server/test/support/attestation.js';
import { openPairing } from '../../../server/test/support/pairing.js';
import { fetchFrom, type Open, phoneOf, secretOf } from '../../../server/test/support/phones.js';
import {
  eventsSince,
  headOf,
  openDesk,
  openRecovery,
  setPolicy,
} from '../../../server/test/support/recoveries.js';
import { type Account, type Service, startService } from '../../../server/test/support/service.js';
import { memoryVault } from './memory-vault.js';

const HOUR_MS = 3_600_000;

let service: Service;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await service.signUp({ plan: 'enterprise' });
});
afterAll(() => service.close());

async function openRegistration({ key } = account) {
  const { body } = await service.call('POST', '/v1/registrations', { as: key, body: {} });
  const link = parseDeeplink(body.pair.deeplink);
  if (link.kind !== 'registration') throw new Error('no link of a registration');
  return link;
}

/** A registered phone, with the paths that it has asked for. */
async function registered(aheadMs = 0, at = account) {
  const vault = memoryVault<Open>();
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = (...request) => {
    asked.push(new URL(String(request[0])).pathname);
    return fetchFrom(service)(...request);
  };
  const phone = phoneOf(service, { vault, fetch, aheadMs });
  const link = await openRegistration(at);
  await startRegistration(phone, link);
  const { identity } = await register(phone, link.session);
  asked.length = 0;
  return { vault, phone, asked, id: identity.id };
}

describe('two tabs of one phone', () => {
  it('register once when both confirm', async () => {
    const vault = memoryVault<Open>();
    const [one, two] = [phoneOf(service, { vault }), phoneOf(service, { vault })];
    const link = await openRegistration();
    const started = await Promise.all([startRegistration(one, link), startRegistration(two, link)]);
    expect(started[0]).toEqual(started[1]);
    const [first, second] = await Promise.allSettled([
      register(one, link.session),
      register(two, link.session),
    ]);
    expect(first.status).toBe('fulfilled');
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'registration_over' } });
    expect(vault.stored().identities).toHaveLength(1);
  });

  it('have one secret after both replaced it [phones/which-secret-works]', async () => {
    const { vault, phone, id } = await registered();
    const before = vault.stored().identities[0]?.commitment;
    await Promise.all([rotate(phone, id), rotate(phoneOf(service, { vault }), id)]);
    const [after] = vault.stored().identities;
    expect(after?.renewal).toBeUndefined();
    expect(after?.commitment).not.toBe(before);
    await readPhones(phone, id);
  });
});

/** What both tabs did, as `fulfilled` or the code of the error. */
const inBothTabs = async (act: (tab: 0 | 1) => Promise<unknown>): Promise<string[]> =>
  (await Promise.allSettled([act(0), act(1)]))
    .map((result) => (result.status === 'fulfilled' ? 'fulfilled' : String(result.reason.code)))
    .toSorted();

describe('two tabs of one phone that do the same', () => {
  /** A registered phone in two tabs. */
  const inTabs = async (at = account) => {
    const { vault, phone, id } = await registered(0, at);
    return { vault, id, tabs: [phone, phoneOf(service, { vault })] as const };
  };

  it('decide once', async () => {
    const { vault, id, tabs } = await inTabs();
    const userId = String(vault.stored().identities[0]?.enrolment?.userId);
    const as = await approvalKey(service, account);
    const approval = await openApproval(service, as, [userId]);
    const [statement] = (await readInbox(tabs[0], id)).statements;
    const outcomes = await inBothTabs((tab) =>
      decide(tabs[tab], id, statement as ApprovalStatement, { decision: 'approve' }),
    );
    expect(outcomes).toContain('fulfilled');
    const { body } = await service.call('GET', `/v1/approvals/${approval.id}`, { as });
    expect(body.approval).toMatchObject({ state: 'approved', decisions: [{ decision: 'approve' }] });
  });

  it('sign a desktop in once', async () => {
    const { tabs } = await inTabs();
    const { qrPayload } = await openPairing(service, account.key);
    const outcomes = await inBothTabs(async (tab) =>
      approvePairing(tabs[tab], await findForCode(tabs[tab], qrPayload), {}),
    );
    expect(outcomes).toEqual(['fulfilled', 'pairing_session_already_bound']);
  });

  it('join as one phone', async () => {
    const { tabs, id } = await inTabs();
    const { code } = await invite(tabs[0], id);
    const vault = memoryVault<Open>();
    const joining = [phoneOf(service, { vault }), phoneOf(service, { vault })] as const;
    expect(await inBothTabs((tab) => join(joining[tab], code))).toEqual(['fulfilled', 'fulfilled']);
    expect(vault.stored().joinings).toHaveLength(1);
  });

  it.each([
    ['', false],
    [', kept with a second copy of the secret', true],
  ] as const)('enroll one key%s, which the service knows', async (_, hasCopy) => {
    const { vault, id, tabs } = await inTabs();
    let enrolledBy: number | undefined;
    const outcomes = await inBothTabs(async (tab) => {
      const { keys } = new PhonePasskey();
      const make: typeof keys.make = async (identity, ...more) => {
        const kept = { ...secretOf(identity), tab };
        return { ...(await keys.make(identity, ...more)), ...(hasCopy && { kept }) };
      };
      await attest({ ...tabs[tab], keys: { ...keys, make } }, id);
      enrolledBy = tab;
    });
    expect(outcomes).toEqual(['attestation_refused', 'fulfilled']);
    const [stored] = vault.stored().identities;
    expect(stored).toMatchObject({
      attestationKeyId: expect.any(String),
      ...(hasCopy && { tab: enrolledBy }),
    });
    expect(stored).not.toHaveProperty('successor');
    const { identities } = await readPhones(tabs[0], id);
    expect(identities).toMatchObject([{ attestationKeyId: stored?.attestationKeyId }]);
  });

  it('contest a recovery once, and keep the phone as it was', async () => {
    const desk = await openDesk(service);
    await setPolicy(service, desk, { protect_identities: true, recovery_cooldown_hours: 24 });
    const { vault, id, tabs } = await inTabs(desk);
    const before = vault.stored();
    const userId = String(before.identities[0]?.enrolment?.userId);
    const { c } = await openRecovery(service, desk, userId, desk.byRecoverer);
    const head = await headOf(service, desk);
    const outcomes = await inBothTabs((tab) => contest(tabs[tab], id, c.id));
    expect(outcomes).toEqual(['fulfilled', 'recovery_closed']);
    const events = (await eventsSince(service, desk, head)).map(({ action }) => action);
    expect(events).toEqual(['registration.abandoned', 'identity.recovery_contested']);
    expect((await readPhones(tabs[1], id)).recoveries).toEqual([]);
    expect(vault.stored()).toEqual(before);
  });

  it('revoke the phone once, and neither has it any more', async () => {
    const { vault, id, tabs } = await inTabs();
    const outcomes = await inBothTabs((tab) => revoke(tabs[tab], id, id));
    expect(outcomes).toContain('fulfilled');
    expect(vault.stored().identities).toEqual([]);
  });
});

/** Refuses to store from now on. */
const full = (vault: Vault<Open>): Vault<Open> => ({
  ...vault,
  change: () => Promise.reject(new Error('QuotaExceededError')),
});
/** Expects the error of a storage that refuses, with a text that says what to do. */
const expectRefused = async (act: Promise<unknown>) => {
  const error = await act.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(SvcError);
  expect(error).toMatchObject({ code: 'not_stored', message: expect.stringContaining('try again') });
};

describe('a storage that refuses', () => {
  it('stops a registration before the code is used', async () => {
    const vault = memoryVault<Open>();
    const link = await openRegistration();
    const sent: string[] = [];
    const fetch: typeof globalThis.fetch = async (url) => {
      sent.push(String(url));
      throw new Error('nothing may be sent');
    };
    await expectRefused(startRegistration(phoneOf(service, { vault: full(vault), fetch }), link));
    expect(sent).toEqual([]);
    // The same code works once there is room.
    await startRegistration(phoneOf(service, { vault }), link);
    await expectRefused(register(phoneOf(service, { vault: full(vault) }), link.session));
    await register(phoneOf(service, { vault }), link.session);
  });

  it('stops a new secret before it is sent, and the old one stays [phones/which-secret-works]', async () => {
    const { vault, asked, id, phone } = await registered();
    await expectRefused(rotate({ ...phone, vault: full(vault) }, id));
    expect(asked).not.toContain('/v1/identity/rotate');
    await readPhones(phone, id);
  });

  it('stops a join before the code is used, and a revocation before it is sent', async () => {
    const { vault, asked, id, phone } = await registered();
    const { code } = await invite(phone, id);
    asked.length = 0;
    await expectRefused(join({ ...phone, vault: full(memoryVault()) }, code));
    await expectRefused(revoke({ ...phone, vault: full(vault) }, id, id));
    expect(asked).toEqual([]);
    await readPhones(phone, id);
  });
});

describe.each([HOUR_MS, -HOUR_MS])('a clock that is %i ms off', (aheadMs) => {
  it('proves by the service’s time, from its first request on', async () => {
    const { phone, vault, id } = await registered(aheadMs);
    const restarted = phoneOf(service, { vault, aheadMs });
    await readPhones(restarted, id);
    await rotate(phone, id);
  });

  it('decides, and adds a phone whose clock is off by as much', async () => {
    const { phone, vault, id } = await registered(aheadMs);
    const userId = String(vault.stored().identities[0]?.enrolment?.userId);
    const as = await approvalKey(service, account);
    await openApproval(service, as, [userId]);
    const [statement] = (await readInbox(phone, id)).statements;
    const decided = await decide(phone, id, statement as ApprovalStatement, { decision: 'approve' });
    expect(decided.state).toBe('approved');

    const added = memoryVault<Open>();
    const other = phoneOf(service, { vault: added, aheadMs });
    const invitation = await invite(phone, id);
    const { code } = invitation;
    await join(other, code);
    const [met, digits] = await Promise.all([meet(phone, invitation, {}), openIdentity(other, code)]);
    const [{ outcome }] = await Promise.all([add(phone, invitation, met, digits), awaitAdded(other, code)]);
    expect(outcome).toBe('added');
    await readPhones(other, String(added.stored().identities[0]?.id));
  });

  it('approves a code that has not expired, and no other', async () => {
    const { vault } = await registered(aheadMs);
    const { qrPayload } = await openPairing(service, account.key);
    const found = await findForCode(phoneOf(service, { vault, aheadMs }), qrPayload);
    expect(found.identities).toHaveLength(1);
  });

  it('goes on with an addition that has not expired', async () => {
    const { phone, id } = await registered();
    const { code } = await invite(phone, id);
    const vault = memoryVault<Open>();
    await join(phoneOf(service, { vault, aheadMs }), code);
    // The phone was restarted, so it knows only its own clock.
    expect(await unfinishedJoinings(phoneOf(service, { vault, aheadMs }))).toHaveLength(1);
    service.clock.advance(6 * 60_000);
    expect(await unfinishedJoinings(phoneOf(service, { vault, aheadMs }))).toEqual([]);
    await expect(awaitAdded(phoneOf(service, { vault, aheadMs }), code)).rejects.toMatchObject({
      code: 'addition_rejected',
    });
  });
});
