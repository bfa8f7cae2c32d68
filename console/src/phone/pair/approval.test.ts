import type { PairingCode } from '@svc/sdk';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Protection } from '../vault/protection';
import type { Approvable } from './approval';

const NOW = Date.parse('2026-05-12T09:30:00.000Z');
const TENANT = '01890a5d-ac96-774b-bcce-b302099a8057';
const SESSION = '01890a5d-ac96-774b-bcce-b302099a8058';
let events: EventTarget;
let network: { onLine: boolean };
let replies: Response[];
let sent: { readonly [field: string]: unknown }[];
/** The identities whose proofs were sent. */
const senders = () => sent.map(({ publicSignals }) => (publicSignals as string[])[0]);

/** A fake of the prover's worker. Its proof contains the ID of the identity. */
class Prover {
  onmessage?: (event: { data: unknown }) => void;
  postMessage({ identity, matchCode }: { identity: { id: string }; matchCode?: string }) {
    const result = { sessionId: SESSION, proof: {}, publicSignals: [identity.id], matchCode };
    queueMicrotask(() => this.onmessage?.({ data: { kind: 'done', result } }));
  }
  terminate() {}
}

vi.stubGlobal('location', new URL('https://svc.example/phone'));
vi.stubGlobal('Worker', Prover);
vi.resetModules();
const { approve, declineAsNotMe } = await import('./approval');
const key = await (await import('../vault/seal')).createKey();

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  events = new EventTarget();
  network = { onLine: true };
  replies = [];
  sent = [];
  vi.stubGlobal('navigator', network);
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events));
  vi.stubGlobal('fetch', async (_: unknown, { body }: { body?: string }) => {
    if (body) sent.push(JSON.parse(body));
    return replies.shift() ?? Response.json({});
  });
});
afterEach(() => void vi.useRealTimers());
afterAll(() => void vi.unstubAllGlobals());

function found(...identities: string[]): Approvable {
  const account = { tenantId: TENANT, environment: 'live', baseUrl: 'https://svc.example' } as const;
  const code = { ...account, sessionId: SESSION, expiresAtSeconds: NOW / 1000 + 60 };
  const identity = { ...account, protection: { kind: 'browser', key }, confirmed: true };
  return {
    text: 'za:pair:code',
    code: code as unknown as PairingCode,
    identities: identities.map((name) => ({ ...identity, id: name })) as unknown as Approvable['identities'],
  };
}

/** Approves while offline. The network returns after the given seconds. */
async function approveOffline(seconds: number): Promise<void> {
  network.onLine = false;
  const { signal } = new AbortController();
  const onStage = (stage: string) => {
    if (stage !== 'waiting') return;
    setTimeout(() => {
      vi.setSystemTime(NOW + seconds * 1000);
      events.dispatchEvent(new Event('online'));
    });
  };
  await approve(found('one'), { scanTicket: '1.a' }, { signal, onStage });
}

test('sends a proof when the network returns while its code is valid', async () => {
  await approveOffline(59);
  expect(senders()).toEqual(['one']);
});

test('does not send a proof whose code expired while the phone was offline', async () => {
  await expect(approveOffline(60)).rejects.toThrow(
    expect.objectContaining({ code: 'pairing_session_expired' }),
  );
  expect(sent).toEqual([]);
});

const errorReply = (error: string, status: number) => () =>
  Response.json({ error, message: 'No.', requestId: 'r' }, { status });
const rejected = errorReply('verification_failed', 401);
const approving = async (...identities: string[]) => {
  const watch = { signal: new AbortController().signal, onStage: () => {} };
  return approve(found(...identities), { scanTicket: '1.a', matchCode: '42' }, watch);
};

test('tries the next identity when the service rejects one', async () => {
  replies = [rejected()];
  await approving('one', 'two');
  expect(senders()).toEqual(['one', 'two']);
  expect(sent).toMatchObject(Array(2).fill({ scanTicket: '1.a', matchCode: '42' }));
});

test('stops after the last identity, and after any other error', async () => {
  replies = [rejected()];
  await expect(approving('one')).rejects.toThrow(expect.objectContaining({ code: 'verification_failed' }));
  replies = [errorReply('pairing_session_not_found', 404)()];
  await expect(approving('one', 'two')).rejects.toThrow(
    expect.objectContaining({ code: 'pairing_session_not_found' }),
  );
  expect(senders()).toEqual(['one', 'one']);
});

test('sends no other identity’s proof after a wrong number, which has ended the session', async () => {
  replies = [errorReply('pairing_match_failed', 401)()];
  await expect(approving('one', 'two')).rejects.toThrow(
    expect.objectContaining({ code: 'pairing_match_failed' }),
  );
  expect(senders()).toEqual(['one']);
});

test('names the identity whose proof a new browser needs more for, also if it is not the first', async () => {
  replies = [rejected(), errorReply('new_browser_refused', 403)()];
  await expect(approving('one', 'two')).rejects.toMatchObject({ identity: { id: 'two' } });
});

const declining = (scan?: PairingCode['scan'], protection?: Protection) => {
  const { code, identities, text } = found('one');
  const locked = identities.map((identity) => ({ ...identity, ...(protection && { protection }) }));
  return declineAsNotMe(
    { text, identities: locked, code: { ...code, ...(scan && { scan }) } },
    { scanTicket: '1.a' },
  );
};

const UNPROVED = { reason: 'not_me', scanTicket: '1.a' };

test('declines with the ticket of the scan and a proof', async () => {
  await expect(declining()).resolves.toBe('declined');
  expect(sent).toEqual([{ ...UNPROVED, proof: {}, publicSignals: ['one'] }]);
});

test('declines without a proof when the person does not unlock the phone, or the service rejects it', async () => {
  const locked = {
    kind: 'screen-lock',
    credentialId: new ArrayBuffer(8),
    salt: new Uint8Array(8),
  } as const;
  await expect(declining(undefined, locked)).resolves.toBe('declined');
  expect(sent).toEqual([UNPROVED]);
  sent.length = 0;
  replies = [errorReply('verification_failed', 401)()];
  await expect(declining()).resolves.toBe('declined');
  expect(sent).toEqual([{ ...UNPROVED, proof: {}, publicSignals: ['one'] }, UNPROVED]);
});

test('declines without a proof when there is none after 30 seconds', async () => {
  vi.useFakeTimers({ now: NOW });
  vi.spyOn(Prover.prototype, 'postMessage').mockImplementationOnce(() => {});
  const declined = declining();
  await vi.advanceTimersByTimeAsync(29_000);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  await expect(declined).resolves.toBe('declined');
  expect(sent).toEqual([UNPROVED]);
});

test('gets a new ticket for a code that does not move', async () => {
  const stale = errorReply('pairing_code_stale', 410);
  replies = [stale(), Response.json({ context: {}, scanTicket: '2.b' })];
  await expect(declining()).resolves.toBe('declined');
  expect(sent.map(({ scanTicket }) => scanTicket)).toEqual(['1.a', '2.b']);
  replies = [stale()];
  await expect(declining({ slot: 1, slotMac: 'a' })).resolves.toBe('over');
});

test.each([
  ['pairing_session_closed', 409, 'over'],
  ['pairing_session_not_found', 404, 'over'],
  ['pairing_session_already_bound', 409, 'signedIn'],
] as const)('declining after %s shows how the session ended', async (code, status, outcome) => {
  replies = [errorReply(code, status)()];
  await expect(declining()).resolves.toBe(outcome);
});
