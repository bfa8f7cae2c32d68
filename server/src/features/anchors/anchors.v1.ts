import { invalid } from '../../base/errors.js';
import { key, route } from '../../http/route.js';
import { AnchorQuery, AnchorReply } from './anchors.schema.js';
import { proveAnchor } from './proof.js';

export const anchorsV1 = [
  route({
    operationId: 'getAnchorProof',
    method: 'GET',
    path: '/v1/anchors/proof',
    summary: 'Prove that an identity, or the head of the audit chain, is anchored',
    description:
      'With `did` that identity; with `seq` the first anchored head that covers this audit event; with neither the newest anchored head. How to check it is in docs/chain.md.',
    auth: key('audit:read'),
    schemas: { query: AnchorQuery },
    replies: { 200: AnchorReply },
    errors: ['anchor_not_found'],
    secret: true,
    async handler({ deps, read, scope, query: { did, seq } }) {
      if (did !== undefined && seq !== undefined) invalid('query.seq', 'cannot be combined with did');
      const anchor = await proveAnchor(deps.db, read, did === undefined ? { seq } : { did });
      return { anchor, environment: scope.environment };
    },
  }),
];
