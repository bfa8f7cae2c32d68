import Type from 'typebox';
import { hash, ids, times } from '../../model/example-fixtures.js';
import { includesNames, optionalNames } from '../../records/list.js';
import {
  ContractAddress,
  count,
  exampleText,
  Nullable,
  pageOf,
  paging,
  strictObject,
  Timestamp,
  timestamp,
  uuid,
  withExample,
} from '../../records/schema.js';

const Kind = withExample('audit_head', Type.Enum(['identity', 'audit_head']));
const positive = (example: number) => Type.Integer({ minimum: 1, examples: [example] });

const AnchoredRecord = strictObject(
  {
    id: uuid(ids.anchor),
    kind: Kind,
    status: withExample('confirmed', Type.Enum(['waiting', 'sent', 'included', 'confirmed'])),
    /** The entry of the audit chain that the head covers, with all before it. */
    seq: Nullable(positive(42)),
    identityId: Nullable(uuid(ids.identity)),
    /** Null of an audit head, and after the person was deleted. */
    userId: Nullable(uuid(ids.user)),
    batchId: Nullable(positive(7)),
    chainId: Nullable(positive(1)),
    contract: Nullable(ContractAddress),
    txHash: Nullable(exampleText(`0x${hash}`)),
    block: Nullable(count(21_480_113)),
    createdAt: Timestamp,
    includedAt: Nullable(timestamp(times.in5Minutes)),
    confirmedAt: Nullable(timestamp(times.in15Minutes)),
    ...optionalNames({ userName: Nullable(exampleText('Ada Lovelace')) }),
  },
  'AnchoredRecord',
);

export const ListAnchorsQuery = strictObject({ kind: Type.Optional(Kind), ...includesNames, ...paging });

export const AnchorListReply = strictObject(
  {
    ...pageOf('anchors', AnchoredRecord).properties,
    waiting: strictObject({
      count: count(0),
      /** Since when the oldest waits. */
      since: Nullable(Timestamp),
    }),
  },
  'AnchoredRecordPage',
);
