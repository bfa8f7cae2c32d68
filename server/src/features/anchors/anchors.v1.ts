import { invalid } from '../../base/errors.js';
import { key, route } from '../../http/route.js';
import { AnchorQuery, AnchorReply } from './anchors.schema.js';
import { listAnchors } from './list.js';
import { AnchorListReply, ListAnchorsQuery } from './list.schema.js';
import { proveAnchor } from './proof.js';

const auditors = key('audit:read', { console: { role: 'auditor' } });

export const anchorsV1 = [
  route({
    operationId: 'listAnchors',
    method: 'GET',
    path: '/v1/anchors',
    summary: 'List what is anchored, or will be, newest first',
    description:
      '`status`: `waiting` for a batch, `sent` in a transaction, `included` in a block, `confirmed` by a final one. `batchId`, `chainId` and `contract` are null while it waits, `block` until it is included.',
    auth: auditors,
    schemas: { query: ListAnchorsQuery },
    replies: { 200: AnchorListReply },
    compress: true,
    handler: listAnchors,
  }),
  route({
    operationId: 'getAnchorProof',
    method: 'GET',
    path: '/v1/anchors/proof',
    summary: 'Prove that an identity, or the head of the audit chain, is anchored',
    description:
      'With `did` that identity; with `seq` the first anchored head that covers this audit event; with `id` a record of GET /v1/anchors; with none of them the newest anchored head. How to check it is in docs/chain.md.',
    auth: auditors,
    schemas: { query: AnchorQuery },
    replies: { 200: AnchorReply },
    errors: ['anchor_not_found'],
    secret: true,
    async handler({ deps, read, scope, query }) {
      const [of, other] = (['did', 'seq', 'id'] as const).filter((name) => query[name] !== undefined);
      if (other !== undefined) invalid(`query.${other}`, `cannot be combined with ${of}`);
      const anchor = await proveAnchor(deps.db, read, query);
      return { anchor, environment: scope.environment };
    },
  }),
];
