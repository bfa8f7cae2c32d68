import Type, { type Static } from 'typebox';
import { additionDeeplink } from '../../../model/deeplink.js';
import { code, did, earlierHash, hash, ids, times } from '../../../model/example-fixtures.js';
import {
  CodeUrl,
  Environment,
  exampleText,
  Nullable,
  strictObject,
  timestamp,
  uuid,
  withExample,
} from '../../../records/schema.js';
import { AccentColor, LogoUrlOrNull } from '../../profile/profile.js';
import { Commitment, Did, Proof, PublicSignals, singleUseProof } from '../../proofs/proofs.js';

/** 32 bytes. */
const Hex = (example: string) =>
  Type.String({ pattern: '^[0-9a-f]{64}$', description: '64 lower-case hex digits', examples: [example] });

const AdditionId = uuid(ids.addition);
const newDid = `did:svc:${hash}`;
const newCommitment = `0${earlierHash.slice(1)}`;
const { nonce: Nonce, timestamp: When } = singleUseProof;

export const OpenBody = strictObject(
  { tenantId: uuid(ids.tenant), environment: Environment, did: Did, aHash: Hex(hash), ...singleUseProof },
  'PhoneAdditionOpenParams',
);
export const OpenReply = strictObject({
  addition: strictObject(
    {
      id: AdditionId,
      code: exampleText(code),
      expiresAt: timestamp(times.in5Minutes),
      deeplink: exampleText(additionDeeplink(code)),
      url: CodeUrl(additionDeeplink(code)),
    },
    'OpenedAddition',
  ),
});

export const JoinBody = strictObject({ c: Hex(hash) }, 'PhoneAdditionJoinParams');
export const JoinReply = strictObject({
  addition: strictObject(
    {
      id: AdditionId,
      tenantId: uuid(ids.tenant),
      environment: Environment,
      companyName: exampleText('Example AG'),
      accentColor: AccentColor,
      logoUrl: LogoUrlOrNull,
      did: exampleText(did),
      expiresAt: timestamp(times.in5Minutes),
    },
    'JoinedAddition',
  ),
});

export const RevealBody = strictObject(
  { a: Hex(earlierHash), nonce: Nonce, timestamp: When },
  'PhoneAdditionRevealParams',
);
export const AnswerBody = strictObject(
  {
    newDid: Did,
    newCommitment: Commitment,
    b: Hex(hash),
    newProof: Proof,
    newPublicSignals: PublicSignals,
  },
  'PhoneAdditionAnswerParams',
);
export const RejectBody = strictObject({ a: Hex(earlierHash) }, 'PhoneAdditionRejectParams');

/** Responses may get fields that requests do not accept, so it is another schema than that of requests. */
const SentProof = Type.Unsafe<Static<typeof Proof>>({ ...Proof, title: 'PhoneAdditionProof' });

const State = Type.Enum(['open', 'joined', 'revealed', 'opened', 'completed', 'rejected']);

const Seconds = Type.Integer({
  minimum: 0,
  maximum: 25,
  default: 0,
  description: 'Seconds to wait for a change of state.',
  examples: [0],
});
export const AdditionQuery = strictObject({
  wait: Type.Optional(Seconds),
  state: Type.Optional(withExample('opened', State)),
});

/** Everything that one phone tells the other, as far as the addition has come. */
const Addition = strictObject(
  {
    id: AdditionId,
    state: withExample('opened', State),
    expiresAt: timestamp(times.in5Minutes),
    did: exampleText(did),
    a: Nullable(Hex(earlierHash)),
    nonce: Nullable(uuid(ids.proofNonce)),
    timestamp: Nullable(
      Type.Integer({ description: 'Unix milliseconds', examples: [Date.parse(times.begun)] }),
    ),
    c: Nullable(Hex(hash)),
    newDid: Nullable(exampleText(newDid)),
    newCommitment: Nullable(exampleText(newCommitment)),
    b: Nullable(Hex(hash)),
    newProof: Nullable(SentProof),
    newPublicSignals: Nullable(PublicSignals),
    inForceAt: withExample(
      null,
      Nullable(
        Type.String({
          format: 'date-time',
          description: 'When the new identity can be used, if it was added with a wait.',
        }),
      ),
    ),
  },
  'PhoneAddition',
);
export const AdditionReply = strictObject({ addition: Addition });
