import { key, route } from '../../../http/route.js';
import { proveEntry, proveGrowth, readCheckpoint } from './proofs.js';
import {
  CHECKPOINT_EXAMPLE,
  ConsistencyQuery,
  ConsistencyReply,
  ProofQuery,
  ProofReply,
} from './tree.schema.js';

const auditors = key('audit:read', { console: { role: 'auditor' } });

export const auditTreeV1 = [
  route({
    operationId: 'getAuditProof',
    method: 'GET',
    path: '/v1/audit/proof',
    summary: 'Prove that an audit entry is in the signed tree over the chain',
    description: 'The hashes are those of RFC 9162. How to check them is in docs/audit.md.',
    auth: auditors,
    schemas: { query: ProofQuery },
    replies: { 200: ProofReply },
    errors: ['not_found'],
    handler: proveEntry,
  }),
  route({
    operationId: 'getAuditConsistency',
    method: 'GET',
    path: '/v1/audit/consistency',
    summary: 'Prove that a signed tree over the chain extends an earlier one',
    description: 'The hashes are those of RFC 9162. How to check them is in docs/audit.md.',
    auth: auditors,
    schemas: { query: ConsistencyQuery },
    replies: { 200: ConsistencyReply },
    handler: proveGrowth,
  }),
  route({
    operationId: 'getAuditCheckpoint',
    method: 'GET',
    path: '/v1/audit/checkpoint',
    summary: 'Get the newest signed tree as a checkpoint for witnesses',
    description:
      'A signed note (c2sp.org/tlog-checkpoint). Only with `audit_checkpoint: true` in the security policy, because its size shows how much the account writes.',
    auth: auditors,
    replies: { 200: 'text/plain; charset=utf-8' },
    examples: { 200: CHECKPOINT_EXAMPLE },
    errors: ['endpoint_disabled', 'not_found'],
    noStore: true,
    handler: readCheckpoint,
  }),
];
