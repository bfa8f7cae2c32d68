import { createHash } from 'node:crypto';
import { hashEnrolment, tagOf } from '@svc/chain/leaves';
import { canonicalJson } from '@svc/zk/approvals/canonical-json';
import type { Receipt } from '@svc/zk/approvals/receipt';
import { actionHash } from '@svc/zk/approvals/statement';
import { expect } from 'vitest';
import { type AuditEvent, canonicalEvent, linkHash } from '../../src/ledger/audit-chain.js';
import { ACTION } from './approvals.js';
import { hexBytes, isIncluded } from './audit-trees.js';
import type { Reply, Service } from './service.js';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const readReceipt = (service: Service, as: string, id: string, query = ''): Promise<Reply> =>
  service.call('GET', `/v1/approvals/${id}/receipt${query}`, { as });

export const consume = (service: Service, as: string, id: string, action: object = ACTION): Promise<Reply> =>
  service.call('POST', `/v1/approvals/${id}/consume`, {
    as,
    body: { actionSha256: actionHash(action as typeof ACTION) },
  });

/** Every hash in a receipt is that of what stands beside it. */
export function expectWhole(receipt: Receipt): void {
  const { statement, chain, decisions, tree } = receipt;
  const { tenantId, environment } = statement;
  const seqs = chain.map(({ row }) => row.seq);
  expect(seqs).toEqual([...new Set(seqs)].toSorted((left, right) => left - right));
  for (const { row, inclusion } of chain) {
    expect(inclusion === null).toBe(tree === null);
    if (tree && inclusion)
      expect(isIncluded(row.hash, { seq: row.seq, size: tree.size, inclusion }, hexBytes(tree.root))).toBe(
        true,
      );
    const { prevHash, hash, ...event } = row;
    expect(linkHash(prevHash, canonicalEvent(event as AuditEvent))).toBe(hash);
    if (row.entityId === statement.approvalId)
      expect(row.metadata.digest).toBe(sha256(canonicalJson(statement)));
  }
  const tag = tagOf(tenantId, environment);
  for (const { enrolment } of decisions)
    for (const [at, { leaf, seq, authorization }] of enrolment.entries()) {
      const row = chain.find((each) => each.row.seq === seq)?.row;
      const { identityId, userId, identity_leaf, authorizedBy } = row?.metadata ?? {};
      expect({ identityId, userId, identity_leaf }).toEqual({
        identityId: leaf.identityId,
        userId: leaf.userId,
        identity_leaf: hashEnrolment({ ...leaf, tag }),
      });
      expect(authorization === undefined).toBe(at === enrolment.length - 1);
      if (authorization === undefined) continue;
      const { proof, publicSignals } = authorization;
      expect(authorizedBy).toBe(sha256(canonicalJson({ proof, publicSignals })));
      expect(BigInt(publicSignals[0])).toBe(BigInt(`0x${enrolment[at + 1]?.leaf.commitment}`));
    }
}
