import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FAILURE_REASONS } from '../../../../../server/src/model/failure-reasons';
import { failureIn, failureOf } from './failures';

describe('the reasons of failed verifications', () => {
  it('have the same words in the dashboard and in docs/verification.md [proofs/reasons-of-failures]', () => {
    const guide = readFileSync(new URL('../../../../../docs/verification.md', import.meta.url), 'utf8');
    const [, section = ''] = guide.split('## Why a verification failed');
    const rows = [...section.matchAll(/^\| `(\w+)` \| (.*) \| (.*) \|$/gm)];
    expect(rows.map(([, code, why, next]) => ({ code, why, next }))).toEqual(
      FAILURE_REASONS.map((code) => ({ code, why: failureOf(code)?.why, next: failureOf(code)?.next })),
    );
  });

  it('are not confused with what an account wrote itself', () => {
    expect(failureOf(null)).toBeUndefined();
    expect(failureOf('second finger')).toBeUndefined();
    expect(failureOf('constructor')).toBeUndefined();
    expect(failureIn({ method: 'manual', result: 'fail', reason: 'expired' })).toBeUndefined();
    expect(failureIn({ method: 'zkp', result: 'pass', reason: 'expired' })).toBeUndefined();
    expect(failureIn({ method: 'zkp', result: 'fail', reason: 'expired' })?.name).toBe('Expired');
  });
});
