import type { PairingCode } from '@svc/sdk';
import { afterAll, expect, test, vi } from 'vitest';
import type { HistoryEntry } from '../vault/history';
import type { Asked, Context } from './asked';

vi.stubGlobal('location', new URL('https://svc.example/phone'));
vi.resetModules();
const { decideUntil, warningsAbout } = await import('./asked');
afterAll(() => void vi.unstubAllGlobals());

const NOW = Date.parse('2026-05-12T09:30:00.000Z');
const ACCOUNT = { tenantId: '01890a5d-ac96-774b-bcce-b302099a8057', environment: 'live' } as const;
const asked = (context: Partial<Context> = {}): Asked => ({
  context: {
    company: 'Example AG',
    accentColor: '#0a6c56',
    logoUrl: null,
    application: null,
    origin: 'https://app.example.com',
    browser: null,
    system: null,
    openedAt: '2026-05-12T09:28:00.000Z',
    sameNetwork: true,
    device: null,
    match: 'type',
    requiresAttestation: false,
    ...context,
  },
  scanTicket: '1.a',
  readAt: NOW,
});
const approval: HistoryEntry = {
  ...ACCOUNT,
  id: '1',
  host: 'svc.example',
  origin: 'https://app.example.com',
  at: '2026-05-11T08:00:00.000Z',
  outcome: 'approved',
};

test('does not warn about a known page on the same network that just asked', () => {
  expect(warningsAbout(ACCOUNT, asked(), [approval])).toEqual([]);
  expect(warningsAbout(ACCOUNT, asked({ origin: null, sameNetwork: null }), [])).toEqual([]);
});

test.each([
  ['another network', { sameNetwork: false }, [approval], 'otherNetwork'],
  [
    'a page opened more than two minutes ago',
    { openedAt: '2026-05-12T09:27:59.999Z' },
    [approval],
    'openedLongAgo',
  ],
  ['the first sign-in', {}, [], 'firstTime'],
  ['a page that was only declined', {}, [{ ...approval, outcome: 'declined' }], 'firstTime'],
  ['a page of another company', {}, [{ ...approval, tenantId: 'other' }], 'firstTime'],
  [
    'another page of the company',
    { origin: 'https://app.example.com.evil.example' },
    [approval],
    'firstTime',
  ],
] as const)('warns about %s', (_, context, approvals, warning) => {
  expect(warningsAbout(ACCOUNT, asked(context), approvals)).toEqual([warning]);
});

test('a moving code has to be decided on before its scan is too old, any other before it expires', () => {
  const code = { expiresAtSeconds: NOW / 1000 + 300 } as PairingCode;
  const moving = { ...code, scan: { slot: 1, slotMac: 'a' } };
  expect(decideUntil(code, asked())).toBe('2026-05-12T09:35:00.000Z');
  expect(decideUntil(moving, asked())).toBe('2026-05-12T09:31:50.000Z');
  expect(decideUntil({ ...moving, expiresAtSeconds: NOW / 1000 + 60 }, asked())).toBe(
    '2026-05-12T09:31:00.000Z',
  );
});
