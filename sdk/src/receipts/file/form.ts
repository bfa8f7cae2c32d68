import { OUTCOMES, type Receipt } from '@svc/zk/approvals/receipt';
import { anyObject, integer, list, matching, nullable, object, oneOf, string, time, tuple } from './shape.js';
import { parseStrictly } from './strict-json.js';

export const uuid = matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
export const hash = matching(/^[0-9a-f]{64}$/);
const environment = oneOf('live', 'test');
export const did = matching(/^did:svc:[0-9a-f]{1,128}$/);

const decimal = matching(/^(0|[1-9][0-9]{0,77})$/);
const pair = tuple(decimal, decimal);
const point = tuple(decimal, decimal, oneOf('1'));
export const proved = {
  proof: object({
    protocol: oneOf('groth16'),
    curve: oneOf('bn128'),
    pi_a: point,
    pi_b: tuple(pair, pair, tuple(oneOf('1'), oneOf('0'))),
    pi_c: point,
  }),
  publicSignals: tuple(decimal, decimal, decimal),
};

/** What `bind` accepts as a field. */
const nonce = matching(/^[\x20-\x7b\x7d\x7e]{1,128}$/);
export const enrolment = object(
  {
    leaf: object({ identityId: uuid, userId: uuid, didHash: hash, commitment: hash, salt: hash }),
    seq: integer,
  },
  { authorization: object({ did, nonce, timestamp: integer, ...proved }) },
);

const decision = object(
  {
    did,
    decision: oneOf('approve', 'decline'),
    decidedAt: time,
    circuit: oneOf('identity_proof'),
    ...proved,
    enrolment: list(enrolment, 64, 1),
  },
  { reason: oneOf('not_me', 'mistake', 'no'), matchCode: matching(/^[0-9]{2}$/) },
);

export const row = object({
  id: uuid,
  seq: integer,
  environment,
  actorType: string,
  actorId: nullable(string),
  action: string,
  entityType: string,
  entityId: nullable(string),
  status: oneOf('success', 'failure'),
  summary: string,
  createdAt: time,
  metadata: anyObject,
  prevHash: hash,
  hash,
});

const signed = {
  at: time,
  keyId: matching(/^[\x21-\x7e]{1,64}$/),
  signature: matching(/^[0-9a-f]{128}$/),
};
export const tree = { size: integer, root: hash, hash, ...signed };
export const keptTreeShape = object(tree, { publicKey: nullable(hash) });
export const headShape = object({ tenantId: uuid, seq: integer, hash, publicKey: nullable(hash), ...signed });

export const consistency = object({ from: integer, proof: list(hash, 64) });

const receipt = object(
  {
    v: oneOf('svc-receipt-1'),
    setup: object({ kind: oneOf('development', 'ceremony'), contributors: integer, vkeySha256: hash }),
    statement: anyObject,
    outcome: oneOf(...OUTCOMES),
    decisions: list(decision, 20),
    chain: list(object({ row, inclusion: nullable(list(hash, 64)) }), 512),
    tree: nullable(object(tree)),
    head: headShape,
  },
  { consistency },
);

/** Reads a receipt, except its statement. @throws ReceiptFault `malformed` */
export function readReceipt(file: string | Uint8Array): Receipt {
  const value = parseStrictly(file);
  receipt(value, 'receipt');
  return value as Receipt;
}
