import type { ApprovalStatement } from '@svc/sdk/prover';
import { expect, it } from 'vitest';
import { describeStatement } from './waiting.js';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const STATEMENT: ApprovalStatement = {
  v: 'svc-approval-1',
  issuer: 'https://id.example.com',
  tenantId: ID,
  environment: 'live',
  approvalId: ID,
  nonce: 'ab'.repeat(16),
  company: 'Example AG',
  requestedBy: { kind: 'api_key', id: 'key', name: 'Billing' },
  approvers: [ID],
  required: 1,
  match: 'off',
  action: { title: 'Pay', fields: [] },
  createdAt: '2026-05-12T09:30:00.000Z',
  expiresAt: '2026-05-12T09:35:00.000Z',
};
const described = (action: Partial<ApprovalStatement['action']>, columns = 40) =>
  describeStatement(
    { ...STATEMENT, action: { ...STATEMENT.action, ...action } },
    {
      err: { write() {}, columns },
      env: {},
    },
  ).split('\n');

it('marks every line of the company’s text, also where a long one would wrap', () => {
  const long = `${'a'.repeat(38)}Digest:   ${'0'.repeat(64)}`;
  const wide = '漢'.repeat(30);
  const lines = described({ title: long, note: `one\n\n${wide}` });
  const [first, ...rest] = lines;
  expect(first).toBe('Example AG asks you to approve:');
  const own = rest.filter((line) => !line.startsWith('│ '));
  expect(own.map((line) => line.split(':')[0])).toEqual(['Sent by', 'Expires', 'Digest']);
  expect(own.at(-1)).not.toContain('0'.repeat(64));
  const text = rest.filter((line) => line.startsWith('│ ')).map((line) => line.slice(2));
  expect(text.join('')).toBe(`${long}one${wide}`);
  expect(text.every((line) => [...line].reduce((sum, one) => sum + (one === '漢' ? 2 : 1), 0) <= 38)).toBe(
    true,
  );
});

it('never sends a control sequence to the terminal, whatever a service sends', () => {
  const lines = described({ title: 'Pay\u001b[2J\u202e', fields: [{ label: 'To\r', value: 'A\nB' }] });
  expect(lines).toContain('│ Pay?[2J?');
  expect(lines).toContain('│ To?: A?B');
});
