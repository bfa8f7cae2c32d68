import { expect, it } from 'vitest';
import { type Asker, describeAsker } from './asker.js';

const NOW = Date.parse('2026-05-12T09:00:00Z');
const ASKER: Asker = {
  company: 'Northwind',
  accentColor: '#0a6c56',
  logoUrl: null,
  application: 'Northwind Portal',
  origin: 'https://app.example.com',
  browser: 'Firefox',
  system: 'Windows',
  openedAt: '2026-05-12T08:59:48Z',
  sameNetwork: true,
  match: 'type',
  requiresAttestation: false,
  device: null,
};
const describeTo = (asker: Partial<Asker>) =>
  describeAsker({ ...ASKER, ...asker }, NOW, { err: { write() {} }, env: {} });

it('names the company, the application, the page, the browser by its own words and the network, and how to decline', () => {
  expect(describeTo({})).toBe(
    [
      'Northwind asks you to sign in to Northwind Portal.',
      'Page:     https://app.example.com',
      'Browser:  Firefox on Windows (stated by the browser, not verified)',
      'Network:  the same as this phone’s',
      'Opened:   12 s ago',
      'If you did not start this sign-in, run `svc phone decline` with this code.',
    ].join('\n'),
  );
});

it('says what is not known', () => {
  const text = describeTo({
    application: null,
    origin: null,
    browser: null,
    system: null,
    sameNetwork: null,
  });
  expect(text).toContain(
    'Northwind asks you to sign in.\nPage:     not known\nBrowser:  not known\nNetwork:  not known\n',
  );
  expect(text).not.toContain('Warning');
});

it('warns of another network, and of a code that was opened long ago', () => {
  const text = describeTo({ sameNetwork: false, openedAt: '2026-05-12T08:57:00Z' });
  expect(text).toContain('Network:  another than this phone’s');
  expect(text).toContain('Warning:  The page was opened in another network');
  expect(text).toContain('Warning:  The code was opened 3 min ago.');
});

it('says that another device is signed in, with its code and its network', () => {
  const text = describeTo({ application: 'TV', sameNetwork: false, device: { userCode: 'WDJB-MJHT' } });
  expect(text).toContain('Warning:  Signs in another device: TV, code WDJB-MJHT. Compare the code.');
  expect(text).toContain('Warning:  That device is in another network');
});

it('prints no control characters of a name', () => {
  expect(describeTo({ company: '\u001b[31mEvil\u202e' })).toContain('?[31mEvil? asks');
});
