import { createPublicKey, verify } from 'node:crypto';
import { canonicalJson, genesisHash, linkHash } from '@svc/server/kernel/audit-chain';

/** An audit event as the API shows it. */
export interface ShownEvent {
  readonly id: string;
  readonly seq: number;
  readonly action: string;
  readonly status: string;
  readonly createdAt: string;
  readonly prevHash: string;
  readonly hash: string;
}

/** The signed head as the API shows it. */
export interface ShownHead {
  readonly tenantId: string;
  readonly seq: number;
  readonly hash: string;
  readonly at: string;
  readonly publicKey: string | null;
  readonly signature: string;
}

/** The DER of an Ed25519 public key up to its 32 bytes (RFC 8410). */
const SPKI_PREFIX = '302a300506032b6570032100';

/**
 * Recomputes a chain from its first event (oldest first) to its head, trusting nothing that the server says of it but
 * the published key. Answers the first thing that does not hold; undefined when all does.
 */
export function checkChain(
  events: readonly ShownEvent[],
  head: ShownHead,
  environment: 'live' | 'test',
): string | undefined {
  let link = genesisHash(head.tenantId, environment);
  for (const [index, { prevHash, hash, ...event }] of events.entries()) {
    if (event.seq !== index + 1) return `row ${event.id} has sequence ${event.seq}, not ${index + 1}`;
    if (prevHash !== link) return `row ${event.id} does not follow the row before it`;
    link = linkHash(prevHash, canonicalJson(event));
    if (hash !== link) return `row ${event.id} was altered`;
  }
  if (head.seq !== events.length || head.hash !== link) return 'the head is not the last row';
  return isSigned(head, environment) ? undefined : 'the head’s signature is wrong';
}

function isSigned(head: ShownHead, environment: string): boolean {
  if (head.publicKey === null) return false;
  const key = createPublicKey({
    key: Buffer.from(SPKI_PREFIX + head.publicKey, 'hex'),
    format: 'der',
    type: 'spki',
  });
  const message = `svc-audit-head-v1|${head.tenantId}|${environment}|${head.seq}|${head.hash}|${Date.parse(head.at)}`;
  return verify(null, Buffer.from(message), key, Buffer.from(head.signature, 'hex'));
}
