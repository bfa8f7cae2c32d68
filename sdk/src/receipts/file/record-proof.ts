import { EXPORTED_KINDS } from '@svc/zk/records/kinds';
import type {
  AttendanceRecordProof,
  DeviceRecordProof,
  UserRecordProof,
  VerificationRecordProof,
} from '../../generated/api.js';
import { consistency, hash, row, tree, uuid } from './form.js';
import { anyObject, integer, list, matching, nullable, object, oneOf } from './shape.js';

/** A response of `GET /v1/{devices,users,verifications,attendance}/:id/proof`. */
export type RecordProof =
  | DeviceRecordProof
  | UserRecordProof
  | VerificationRecordProof
  | AttendanceRecordProof;

const salt = nullable(matching(/^[0-9a-f]{32}$/));
const recordProof = object(
  {
    kind: oneOf(...EXPORTED_KINDS),
    tenantId: uuid,
    record: anyObject,
    n: nullable(integer),
    salts: nullable(object({ facts: salt, text: salt })),
    entry: nullable(row),
    inclusion: nullable(list(hash, 64)),
    tree: nullable(object(tree)),
    publicKey: nullable(hash),
  },
  { T: hash, consistency, sealedLater: object({ index: integer, size: integer, proof: list(hash, 64) }) },
);

/** @throws ReceiptFault `malformed` */
export function readRecordProof(value: unknown): RecordProof {
  recordProof(value, 'proof');
  return value as RecordProof;
}
