import { createPublicKey, verify } from 'node:crypto';
import { canonicalJson, genesisHash, linkHash } from '@svc/server/ledger/audit-chain';

type Environment = 'live' | 'test';

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
  readonly keyId?: string;
  readonly publicKey: string | null;
  readonly signature: string;
}

/** The DER of an Ed25519 public key up to its 32 bytes (RFC 8410). */
const SPKI_PREFIX = '302a300506032b6570032100';

/** A check that takes a chain row by row, oldest first, and remembers no more than the last one. */
export interface ChainCheck {
  /** The first thing that does not hold of this row; undefined when all does. */
  row(event: ShownEvent): string | undefined;
  /** The same of the whole, once its head is known. */
  end(head: ShownHead, environment: Environment): string | undefined;
}

/** Undefined for what no event of ours could hold. */
function recompute(prevHash: string, event: object): string | undefined {
  try {
    return linkHash(prevHash, canonicalJson(event));
  } catch {
    return undefined;
  }
}

/** Recomputes a chain, trusting nothing that the server says of it but the published key. */
export function createChainCheck(): ChainCheck {
  // A row does not name its tenant: which chain this is can only be told from the first link, once the head is there.
  let first: { id: string; prevHash: string } | undefined;
  let last = { seq: 0, hash: '', createdAt: '' };
  return {
    row({ prevHash, hash, ...event }) {
      const { id, seq, createdAt } = event;
      if (seq !== last.seq + 1) return `row ${id} has sequence ${seq}, not ${last.seq + 1}`;
      first ??= { id, prevHash };
      if (seq > 1 && prevHash !== last.hash) return `row ${id} does not follow the row before it`;
      if (hash !== recompute(prevHash, event)) return `row ${id} was altered`;
      if (createdAt < last.createdAt) return `row ${id} is older than the row before it`;
      last = { seq, hash, createdAt };
      return undefined;
    },
    end(head, environment) {
      const genesis = genesisHash(head.tenantId, environment);
      if (first !== undefined && first.prevHash !== genesis)
        return `row ${first.id} does not follow the start of this chain`;
      if (head.seq !== last.seq || head.hash !== (first === undefined ? genesis : last.hash))
        return 'the head is not the last row';
      if (first !== undefined && head.at !== last.createdAt) return 'the head is not of the last row’s time';
      return isSigned(head, environment) ? undefined : 'the head’s signature is wrong';
    },
  };
}

/** The same over a chain that is there as a whole. Answers the first thing that does not hold; undefined when all does. */
export function checkChain(
  events: readonly ShownEvent[],
  head: ShownHead,
  environment: Environment,
): string | undefined {
  const check = createChainCheck();
  for (const event of events) {
    const fault = check.row(event);
    if (fault !== undefined) return fault;
  }
  return check.end(head, environment);
}

/** Whether the key that the head names signed it. */
export function isSigned(head: ShownHead, environment: Environment): boolean {
  if (head.publicKey === null) return false;
  const key = createPublicKey({
    key: Buffer.from(SPKI_PREFIX + head.publicKey, 'hex'),
    format: 'der',
    type: 'spki',
  });
  const message = `svc-audit-head-v1|${head.tenantId}|${environment}|${head.seq}|${head.hash}|${Date.parse(head.at)}`;
  return verify(null, Buffer.from(message), key, Buffer.from(head.signature, 'hex'));
}
