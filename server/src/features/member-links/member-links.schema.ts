import Type from 'typebox';
import { ids, secrets, times } from '../../model/example-fixtures.js';
import { Environment, exampleText, strictObject, timestamp, uuid } from '../../records/schema.js';
import { Did, singleUseProof } from '../proofs/proofs.js';

export const LinkReply = strictObject({
  link: strictObject(
    {
      token: exampleText(secrets.inboxToken, 'For the phone of this member, for ten minutes.'),
      url: exampleText(
        `https://svc.example.com/phone/#code=svc://member?t=${secrets.inboxToken}`,
        'Opens the phone page with it, for a QR code.',
      ),
      expiresAt: timestamp(times.in15Minutes),
    },
    'MemberLink',
  ),
});
export const LinkBody = strictObject(
  {
    tenantId: uuid(ids.tenant),
    environment: Environment,
    did: Did,
    ...singleUseProof,
    token: Type.String({ minLength: 1, maxLength: 2_000, examples: [secrets.inboxToken] }),
  },
  'PhoneMemberLinkParams',
);
export const LinkedReply = strictObject({
  member: strictObject({ id: uuid(ids.member), userId: uuid(ids.user) }, 'LinkedMember'),
});
