import type { Static } from 'typebox';
import type { Deps } from '../../../http/deps.js';
import { CHALLENGE_MS, issueChallenge } from './challenges.js';
import type { Subject } from './challenges.store.js';
import type { AuthenticationOptions, RegistrationOptions } from './passkeys.schema.js';
import type { PasskeyRow } from './passkeys.store.js';
import { ALGORITHMS, relyingParty, userHandle } from './relying-party.js';

type OptionsDeps = Pick<Deps, 'db' | 'clock' | 'random' | 'config'>;

const described = (passkeys: readonly PasskeyRow[]) =>
  passkeys.map(({ credential_id: id, transports }) => ({ type: 'public-key' as const, id, transports }));

/** What a browser needs to make a passkey (`navigator.credentials.create`). */
export async function registrationOptions(
  deps: OptionsDeps,
  purpose: 'register' | 'join',
  subject: NonNullable<Subject>,
  named: { readonly email: string; readonly name: string | null; readonly has: readonly PasskeyRow[] },
): Promise<Static<typeof RegistrationOptions>> {
  const { id, name } = relyingParty(deps.config);
  return {
    rp: { id, name },
    user: {
      id: userHandle(subject.memberId),
      name: named.email,
      displayName: named.name ?? named.email,
    },
    challenge: await issueChallenge(deps, { purpose, subject }),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: CHALLENGE_MS,
    excludeCredentials: described(named.has),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  };
}

/** What a browser needs to use a passkey (`navigator.credentials.get`). Without passkeys, the member chooses one of theirs. */
export async function authenticationOptions(
  deps: OptionsDeps,
  of: { readonly purpose: 'sign-in' | 'step-up'; readonly subject: Subject },
  allowed: readonly PasskeyRow[] = [],
): Promise<Static<typeof AuthenticationOptions>> {
  return {
    rpId: relyingParty(deps.config).id,
    challenge: await issueChallenge(deps, of),
    timeout: CHALLENGE_MS,
    allowCredentials: described(allowed),
    userVerification: 'required',
  };
}
