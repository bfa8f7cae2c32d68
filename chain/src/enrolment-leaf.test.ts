import { enrolmentLeaf } from '@svc/zk/approvals/enrolment-leaf';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hashEnrolment, tagOf } from './leaves.js';

it('is the leaf that the service computes', () => {
  const word = fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((bytes) => Buffer.from(bytes).toString('hex'));
  const leaf = fc.record({
    identityId: fc.uuid(),
    userId: fc.uuid(),
    didHash: word,
    commitment: word,
    salt: word,
  });
  fc.assert(
    fc.property(fc.uuid(), fc.constantFrom('live', 'test'), leaf, (tenantId, environment, own) => {
      const tag = tagOf(tenantId, environment);
      expect(enrolmentLeaf({ tenantId, environment }, own)).toBe(hashEnrolment({ ...own, tag }));
    }),
  );
});
