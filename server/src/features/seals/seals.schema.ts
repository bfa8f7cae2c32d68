import Type, { type TSchema } from 'typebox';
import { earlierHash, hash, ids } from '../../model/example-fixtures.js';
import { Nullable, strictObject, uuid, withExample } from '../../records/schema.js';
import { Attendance } from '../attendance/attendance.js';
import { AuditEvent, SignedTree, TreeKey, TreeProof } from '../audit/audit.js';
import { Device } from '../devices/devices.js';
import { User } from '../users/users.js';
import { Verification } from '../verifications/verifications.js';

const Size = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'The size of a tree that the checker kept. The proof then has `consistency`.',
  examples: [7],
});
export const ProofQuery = strictObject({ from: Type.Optional(Size) });

const Salt = (example: string) =>
  Nullable(Type.String({ pattern: '^[0-9a-f]{32}$', examples: [example.slice(0, 32)] }));
export const Salts = strictObject({ facts: Salt(hash), text: Salt(earlierHash) }, 'RecordSalts');

/** Where a record is on the page whose root is in the entry. */
const PagePlace = strictObject(
  {
    index: Type.Integer({ minimum: 0, description: 'Of the record on the page, from 0.', examples: [41] }),
    size: Type.Integer({ minimum: 1, description: 'Records on the page.', examples: [1_000] }),
    proof: withExample([hash], TreeProof),
  },
  'RecordPage',
);

/** What is shown of a record in which somebody has set a value that no record can have. */
const Unreadable = strictObject({ id: uuid(ids.device) }, 'UnreadableRecord');

/** What shows that the audit chain has a record as it is now. */
const proofOf = (kind: string, record: TSchema, name: string) =>
  strictObject(
    {
      kind: Type.Enum([kind]),
      tenantId: uuid(ids.tenant),
      record: Type.Union([record, Unreadable]),
      n: withExample(
        1,
        Nullable(
          Type.Integer({
            minimum: 1,
            description: 'The number of the list of fields. Null for a record from before there were seals.',
          }),
        ),
      ),
      salts: Nullable(Salts),
      T: Type.Optional(
        Type.String({
          pattern: '^[0-9a-f]{64}$',
          description: 'The hash of the text, if it was removed with a person.',
          examples: [hash],
        }),
      ),
      entry: Nullable(AuditEvent),
      sealedLater: Type.Optional(PagePlace),
      inclusion: withExample([hash], Nullable(TreeProof)),
      tree: Nullable(SignedTree),
      publicKey: TreeKey,
      consistency: Type.Optional(strictObject({ from: Size, proof: TreeProof }, 'RecordConsistency')),
    },
    name,
  );

export const DeviceProof = proofOf('device', Device, 'DeviceRecordProof');
export const UserProof = proofOf('user', User, 'UserRecordProof');
export const VerificationProof = proofOf('verification', Verification, 'VerificationRecordProof');
export const AttendanceProof = proofOf('attendance', Attendance, 'AttendanceRecordProof');
