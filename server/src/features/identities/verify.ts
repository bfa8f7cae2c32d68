import { verifyBind } from '@svc/zk/field';
import type { Static } from 'typebox';
import type { Deps } from '../../http/deps.js';
import type { KeyPrincipal } from '../../http/principal.js';
import { canonicalDid } from '../../model/did.js';
import { assertionOf } from '../attestation/attestation.js';
import { type ProofContext, verifyOnce } from '../proofs/proofs.js';
import { issueTokens, openedBy, prepareSession, type SessionTokens } from '../sessions/sessions.js';
import type { VerifyBody } from './identities.schema.js';

/** Verifies a proof against a registered identity and opens a session. */
export async function verifyIdentity(
  context: ProofContext & {
    readonly principal: KeyPrincipal;
    readonly deps: Pick<Deps, 'config'>;
  },
  input: Static<typeof VerifyBody>,
): Promise<SessionTokens> {
  const { deps, scope, principal } = context;
  const { tenant } = principal;
  const policy = tenant.securityPolicy;
  const did = canonicalDid(input.did);
  const session = prepareSession(deps);
  const userId = await verifyOnce(context, input, {
    ...{ action: 'identity.verify', failure: 'verification_failed', tenant, did, bindOf: verifyBind },
    attested: assertionOf(deps, input.attestation, { policy }),
    allowsBare: policy.allow_unbound_proofs === true,
    opens: (outcome) => openedBy([session], outcome),
  });
  return issueTokens(deps, scope, { sessionId: session.id, userId, did, refreshToken: session.refreshToken });
}
