import { tagOf, wordOf } from '@svc/chain/leaves';
import { didHash } from '@svc/zk/field';
import { fail } from '../../../base/errors.js';
import { key, route } from '../../../http/route.js';
import { canonicalDid } from '../../../model/did.js';
import { iso } from '../../../records/schema.js';
import { openLeaf } from './commitments.js';
import { DID_FORM, LeafReply } from './commitments.schema.js';

export const commitmentsV1 = [
  route({
    operationId: 'getIdentityLeaf',
    method: 'GET',
    path: '/v1/identity/:did/leaf',
    summary: 'Get what the audit chain says of an identity',
    description:
      'The values whose hash the audit event names that put the identity’s newest commitment in force. How to check it is in docs/audit.md.',
    auth: key('identity:read'),
    schemas: { params: { did: 'identity_not_found' }, forms: { did: DID_FORM } },
    replies: { 200: LeafReply },
    errors: ['identity_not_found', 'identity_changed'],
    secret: true,
    // Also for a DID of another form, so that every 404 is the same.
    noStore: true,
    async handler({ deps, read, scope, params }) {
      const opened = await openLeaf(deps, read, canonicalDid(params.did));
      if (opened === undefined) return fail('identity_not_found');
      const { enrolled, event, version, recordedAt } = opened;
      const { leaf, identityId, userId, did, commitment, salt } = enrolled;
      return {
        leaf: {
          hash: leaf,
          seq: event.seq,
          action: event.action,
          identityId,
          userId,
          tag: tagOf(scope.tenantId, scope.environment),
          didHash: wordOf(didHash(did)),
          commitment,
          salt,
          version,
          createdAt: iso(recordedAt),
        },
      };
    },
  }),
];
