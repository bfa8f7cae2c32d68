import { beforeEach, expect, test } from 'vitest';
import { memoryVault } from '../../../test/phone/memory-vault.js';
import { formatPairingCode, type PairingCode } from '../../codecs/pairing-code.js';
import type { PhonePorts } from '../ports.js';
import type { Secret } from '../records.js';
import { phoneService } from '../service.js';
import { approvePairing, declinePairing, findForCode } from './pair.js';

const NOW = Date.parse('2026-05-12T09:30:00.000Z');
const TENANT = '01890a5d-ac96-774b-bcce-b302099a8057';
const SESSION = '01890a5d-ac96-774b-bcce-b302099a8058';
const ACCOUNT = { tenantId: TENANT, environment: 'live', baseUrl: 'https://svc.example' } as const;

let now: number;
let replies: Response[];
let sent: { readonly [field: string]: unknown }[];
/** What the phone waits for when it wants the network. */
let online: () => Promise<void>;
/** Instead of a proof. */
let proving: (() => Promise<never>) | undefined;
/** The identities whose proofs were sent. */
const senders = () => sent.map(({ publicSignals }) => (publicSignals as string[])[0]);

beforeEach(() => {
  now = NOW;
  replies = [];
  sent = [];
  online = async () => {};
  proving = undefined;
});

const fetchNothing: typeof fetch = async (_, init) => {
  if (typeof init?.body === 'string') sent.push(JSON.parse(init.body));
  return replies.shift() ?? Response.json({});
};
const timing = { now: () => now, after: () => () => {}, random: () => 0 };

/** A phone with these identities, whose proofs contain their ids, and the code that it scans. */
async function phoneWith(names: readonly string[], more: Partial<PairingCode> = {}) {
  const vault = memoryVault<Secret>();
  const identities = names.map((name) => ({
    ...ACCOUNT,
    ...{ id: name, did: name, commitment: name, fingerprint: 'f', confirmed: true, createdAt: '' },
  }));
  await vault.change(() => identities.map((record) => ({ put: 'identities', record })));
  const prove = async ({ did }: Secret, { matchCode }: { readonly matchCode?: string }) =>
    (await proving?.()) ?? { sessionId: SESSION, did, proof: {}, publicSignals: [did], matchCode };
  const phone: PhonePorts<Secret> = {
    service: phoneService({ baseUrl: ACCOUNT.baseUrl, fetch: fetchNothing, timing, maxRetries: 0 }),
    vault,
    prover: { prove } as unknown as PhonePorts<Secret>['prover'],
    whenOnline: () => online(),
  };
  const code = formatPairingCode({
    ...{ ...ACCOUNT, sessionId: SESSION, nonce: 'ab'.repeat(31), expiresAtSeconds: NOW / 1000 + 60 },
    ...more,
  });
  return { phone, code };
}

async function approving(...names: string[]) {
  const { phone, code } = await phoneWith(names);
  return approvePairing(phone, await findForCode(phone, code), { scanTicket: '1.a', matchCode: '42' });
}

/** Approves while offline. The network returns after the given seconds. */
function approveOffline(seconds: number) {
  online = async () => {
    now = NOW + seconds * 1000;
  };
  return approving('one');
}

test('sends a proof when the network returns while its code is valid', async () => {
  await approveOffline(59);
  expect(senders()).toEqual(['one']);
});

test('does not send a proof whose code expired while the phone was offline', async () => {
  await expect(approveOffline(60)).rejects.toMatchObject({ code: 'pairing_session_expired' });
  expect(sent).toEqual([]);
});

test('a phone whose clock is ahead asks for the time before it says that a code has expired', async () => {
  const { phone, code } = await phoneWith(['one']);
  now = NOW + 3_600_000;
  const at = (time: number) => Response.json({}, { headers: { date: new Date(time).toUTCString() } });
  replies = [at(NOW)];
  expect((await findForCode(phone, code)).identities).toHaveLength(1);
  const { phone: other } = await phoneWith(['one']);
  replies = [at(NOW + 61_000)];
  await expect(findForCode(other, code)).rejects.toMatchObject({ code: 'pairing_session_expired' });
});

const errorReply = (error: string, status: number) => () =>
  Response.json({ error, message: 'No.', requestId: 'r' }, { status });
const rejected = errorReply('verification_failed', 401);

test('tries the next identity when the service rejects one', async () => {
  replies = [rejected()];
  await approving('one', 'two');
  expect(senders()).toEqual(['one', 'two']);
  expect(sent).toMatchObject(Array(2).fill({ scanTicket: '1.a', matchCode: '42' }));
});

test('stops after the last identity, and after any other error', async () => {
  replies = [rejected()];
  await expect(approving('one')).rejects.toMatchObject({ code: 'verification_failed' });
  replies = [errorReply('pairing_session_not_found', 404)()];
  await expect(approving('one', 'two')).rejects.toMatchObject({ code: 'pairing_session_not_found' });
  expect(senders()).toEqual(['one', 'one']);
});

test('sends no other identity’s proof after a wrong number, which has ended the session', async () => {
  replies = [errorReply('pairing_match_failed', 401)()];
  await expect(approving('one', 'two')).rejects.toMatchObject({ code: 'pairing_match_failed' });
  expect(senders()).toEqual(['one']);
});

test('names the identity whose proof a new browser needs more for, also if it is not the first', async () => {
  replies = [rejected(), errorReply('new_browser_refused', 403)()];
  await expect(approving('one', 'two')).rejects.toMatchObject({ identity: { id: 'two' } });
});

const declining = async (scan?: PairingCode['scan'], proofUntil?: Promise<unknown>) => {
  const { phone, code } = await phoneWith(['one'], scan && { scan });
  return declinePairing(phone, await findForCode(phone, code), {
    ...{ reason: 'not_me', scanTicket: '1.a' },
    ...(proofUntil && { proofUntil }),
  });
};

const UNPROVED = { reason: 'not_me', scanTicket: '1.a' };

test('declines with the ticket of the scan and a proof', async () => {
  await declining();
  expect(sent).toEqual([{ ...UNPROVED, did: 'one', proof: {}, publicSignals: ['one'] }]);
});

test('declines without a proof when the person does not unlock the phone, or the service rejects it', async () => {
  proving = () => Promise.reject(new Error('not unlocked'));
  await declining();
  expect(sent).toEqual([UNPROVED]);
  sent.length = 0;
  proving = undefined;
  replies = [rejected()];
  await declining();
  expect(sent).toEqual([{ ...UNPROVED, did: 'one', proof: {}, publicSignals: ['one'] }, UNPROVED]);
});

test('declines without a proof when there is none in time', async () => {
  proving = () => new Promise(() => {});
  await declining(undefined, Promise.resolve());
  expect(sent).toEqual([UNPROVED]);
});

test('gets a new ticket for a code that does not move', async () => {
  const stale = errorReply('pairing_code_stale', 410);
  replies = [stale(), Response.json({ context: {}, scanTicket: '2.b' })];
  await declining();
  expect(sent.map(({ scanTicket }) => scanTicket)).toEqual(['1.a', '2.b']);
  replies = [stale()];
  await expect(declining({ slot: 1, slotMac: 'abcdefghijklmnop' })).rejects.toMatchObject({
    code: 'pairing_code_stale',
  });
});
