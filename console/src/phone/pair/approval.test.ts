import type { PairingCode } from '@svc/sdk';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Approvable } from './approval';

const NOW = Date.parse('2026-05-12T09:30:00.000Z');
const TENANT = '01890a5d-ac96-774b-bcce-b302099a8057';
const SESSION = '01890a5d-ac96-774b-bcce-b302099a8058';
let events: EventTarget;
let network: { onLine: boolean };
let replies: Response[];
let sent: string[];

/** A fake of the prover's worker. Its proof contains the ID of the identity. */
class Prover {
  onmessage?: (event: { data: unknown }) => void;
  postMessage({ identity }: { identity: { id: string } }) {
    const result = { sessionId: SESSION, proof: {}, publicSignals: [identity.id], commitment: '', nonce: '' };
    queueMicrotask(() => this.onmessage?.({ data: { kind: 'done', result } }));
  }
  terminate() {}
}

vi.stubGlobal('location', new URL('https://svc.example/phone'));
vi.stubGlobal('Worker', Prover);
vi.resetModules();
const { approve } = await import('./approval');
const { createKey, seal } = await import('../vault/seal');

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  events = new EventTarget();
  network = { onLine: true };
  replies = [];
  sent = [];
  vi.stubGlobal('navigator', network);
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events));
  vi.stubGlobal('fetch', async (_: unknown, { body }: { body: string }) => {
    sent.push(JSON.parse(body).publicSignals[0]);
    return replies.shift() ?? Response.json({});
  });
});
afterEach(() => void vi.useRealTimers());
afterAll(() => void vi.unstubAllGlobals());

async function found(...identities: string[]): Promise<Approvable> {
  const key = await createKey();
  const account = { tenantId: TENANT, environment: 'live', baseUrl: 'https://svc.example' } as const;
  const id = `${TENANT}:live`;
  const claimKey = await seal(key, new TextEncoder().encode(`svc_live_${'ab'.repeat(24)}`), id);
  const code = {
    ...account,
    sessionId: SESSION,
    expiresAtSeconds: NOW / 1000 + 60,
  } as unknown as PairingCode;
  const identity = { ...account, protection: { kind: 'browser', key }, confirmed: true };
  return {
    code,
    identities: identities.map((name) => ({ ...identity, id: name })) as unknown as Approvable['identities'],
    link: { ...account, id, key, claimKey, name: 'Muster', linkedAt: '' },
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
  await approve('za:pair:code', await found('one'), { signal, onStage });
}

test('sends a proof when the network returns while its code is valid', async () => {
  await approveOffline(59);
  expect(sent).toEqual(['one']);
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
  return approve('za:pair:code', await found(...identities), watch);
};

test('tries the next identity when the service rejects one', async () => {
  replies = [rejected()];
  await approving('one', 'two');
  expect(sent).toEqual(['one', 'two']);
});

test('stops after the last identity, and after any other error', async () => {
  replies = [rejected()];
  await expect(approving('one')).rejects.toThrow(expect.objectContaining({ code: 'verification_failed' }));
  replies = [errorReply('pairing_session_not_found', 404)()];
  await expect(approving('one', 'two')).rejects.toThrow(
    expect.objectContaining({ code: 'pairing_session_not_found' }),
  );
  expect(sent).toEqual(['one', 'one']);
});
