import type { UserIdentity } from '@svc/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Badge } from '../../ui/layout/surface';
import { Ago, Time } from '../../ui/lists/time';
import { Needs } from '../nouns/members/needs';
import { svc } from '../operations/api';
import { useEnvironment } from '../operations/environment';
import type { ItemOf } from '../operations/operation';
import { confirmOf } from '../records/confirm-of';
import { Related, RelatedRow } from '../records/related/related';
import { PhoneName } from './phone-name';

type AttestationKey = ItemOf<'listAttestationKeys'>;

interface PhonePasskey {
  readonly passkey: AttestationKey;
  /** The identity that it belongs to. */
  readonly identity: UserIdentity;
}

const LIMIT = 20;

const levelText = (level: number): string =>
  level === 2 ? 'Level 2, unlocked by the person' : `Level ${level}, in attested hardware`;

/** The passkeys that a person's phones sign proofs with, and that show that a phone is beside a browser. */
export function PhonePasskeys({ userId }: { readonly userId: string }) {
  const environment = useEnvironment();
  const [revoked, setRevoked] = useState<AttestationKey>();
  const query = useQuery({
    queryKey: ['listAttestationKeys', environment, { userId }],
    queryFn: async ({ signal }) => ({ items: await passkeysOf(environment, userId, signal), hasMore: false }),
  });
  return (
    <>
      <Related
        name="Passkeys"
        query={query}
        keyOf={({ passkey }) => passkey.id}
        row={({ passkey, identity }) => (
          <RelatedRow what={<PhoneName identity={identity} />} about={<About passkey={passkey} />}>
            {passkey.isSynced && <Badge>Synced</Badge>}
            {passkey.revokedAt === null ? (
              <Needs least="developer">
                <Button small onClick={() => setRevoked(passkey)}>
                  Revoke
                </Button>
              </Needs>
            ) : (
              <Badge tone="bad">Revoked</Badge>
            )}
          </RelatedRow>
        )}
        empty="No passkey yet. Without one, no phone of this person can show that it is beside a new browser."
      />
      {revoked && <RevokePasskey passkey={revoked} onClose={() => setRevoked(undefined)} />}
    </>
  );
}

/** A person has few phones, and each has a list of its own. */
async function passkeysOf(
  environment: 'live' | 'test',
  userId: string,
  signal: AbortSignal,
): Promise<readonly PhonePasskey[]> {
  const request = { path: { userId }, query: { environment, limit: LIMIT } };
  const { identities } = await svc.request('listUserIdentities', request, { signal });
  const lists = await Promise.all(
    identities.map(async (identity) => {
      const query = { environment, did: identity.did };
      const { attestationKeys } = await svc.request('listAttestationKeys', { query }, { signal });
      return attestationKeys.map((passkey) => ({ passkey, identity }));
    }),
  );
  return lists.flat();
}

const About = ({ passkey: { level, createdAt, lastUsedAt } }: { readonly passkey: AttestationKey }) => (
  <>
    {levelText(level)}
    <br />
    {lastUsedAt === null ? (
      'Not used yet'
    ) : (
      <>
        Last used <Ago at={lastUsedAt} />
      </>
    )}
    {' · '}
    Added <Time at={createdAt} />
  </>
);

const RevokePasskey = confirmOf({
  operation: 'revokeAttestationKey',
  input: ({ passkey: { id } }: { readonly passkey: AttestationKey }) => ({ path: { id } }),
  title: 'Revoke this passkey?',
  action: 'Revoke the passkey',
  done: 'Passkey revoked',
  text: 'The phone stays registered and can enroll another passkey. Until then, it can’t sign its proofs, and it can’t show that it is beside a new browser. If the phone is lost, revoke the phone instead.',
});
