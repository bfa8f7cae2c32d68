import { expect, it } from 'vitest';
import { sha256Hex } from '../prover/sha256.js';
import { type HoursLine, hoursMessage, nextDigest } from './hours-file.js';

const LINES: readonly HoursLine[] = [
  { seq: 1, prevHash: '00'.repeat(32), digest: '11'.repeat(32) },
  { leaf: { userId: '019e0000-0000-7000-8000-000000000001', salt: '22'.repeat(16) } },
];
const digestOf = (lines: readonly HoursLine[]): string =>
  lines.reduce((before, line) => nextDigest(before, JSON.stringify(line), sha256Hex), '');

it('the digest of a file depends on each line and on their order', () => {
  const [first, second] = LINES.map((line) => sha256Hex(JSON.stringify(line)));
  expect(digestOf(LINES)).toBe(sha256Hex(`${sha256Hex(first as string)}${second}`));
  expect(digestOf([...LINES].reverse())).not.toBe(digestOf(LINES));
});

it('what is signed names the account, the site, the month, and the key', () => {
  const of = {
    ...({ tenantId: 'a', environment: 'test', month: '2026-05' } as const),
    site: { id: 's', name: 'Werk Nord', country: 'DE', timeZone: 'Europe/Berlin' },
  } as const;
  expect(hoursMessage(of, { lines: 2, sha256: 'ff', keyId: 'k' })).toBe(
    'svc-hours-file-v1|a|test|s|2026-05|2|ff|k',
  );
});
