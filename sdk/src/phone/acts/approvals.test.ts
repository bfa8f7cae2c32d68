import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ApprovalStatement } from '../../generated/api.js';
import { checkedStatement as checkedBy } from './approvals.js';

interface Vector {
  readonly name: string;
  readonly statement: ApprovalStatement;
}
const vectors = JSON.parse(
  readFileSync(new URL('../../../../docs/vectors/approvals.json', import.meta.url), 'utf8'),
) as { readonly good: readonly Vector[]; readonly bad: readonly Vector[] };
const [{ statement }] = vectors.good as [Vector];

const { tenantId, environment, approvers } = statement;
const owner = { tenantId, environment };
const checkedStatement = (value: unknown, to: Parameters<typeof checkedBy>[2]) =>
  checkedBy(value, statement.issuer, to);
const enrolledAs = (userId: string) => ({
  ...owner,
  enrolment: { identityId: '', userId, salt: '', leaf: '', seq: 1 },
});

test('accepts what an honest service sends to one of the approvers', () => {
  expect(checkedStatement(statement, owner)).toBe(statement);
  expect(checkedStatement(statement, enrolledAs(approvers[0] as string))).toBe(statement);
});

test.each(vectors.bad)('rejects a text that nobody may show: $name', ({ statement: bad }) => {
  expect(checkedStatement(bad, owner)).toBeUndefined();
});

test.each([undefined, null, 'text', [], {}])('rejects %j', (value) => {
  expect(checkedStatement(value, owner)).toBeUndefined();
});

test('rejects an approval of another service, company, environment or person', () => {
  const other = '01890a5d-ac96-774b-bcce-b302099a8057';
  expect(checkedStatement({ ...statement, issuer: 'https://evil.example' }, owner)).toBeUndefined();
  expect(checkedStatement(statement, { ...owner, tenantId: other })).toBeUndefined();
  expect(checkedStatement(statement, { ...owner, environment: 'test' })).toBeUndefined();
  expect(checkedStatement(statement, enrolledAs(other))).toBeUndefined();
});
