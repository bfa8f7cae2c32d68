import { networkOf } from '../../base/address.js';
import { legacy, type Route, route } from '../../http/route.js';
import { LEGACY_LIMIT } from '../../model/legacy-account.js';
import { circuitInfo, freshNonce } from '../circuit/circuit.js';
import { circuitV1 } from '../circuit/circuit.v1.js';
import { describeSession, logOut } from '../sessions/sessions.js';
import { sessionsV1 } from '../sessions/sessions.v1.js';
import { authOidcV1 } from '../sso/oidc/oidc.v1.js';
import { describeServiceProvider, METADATA_EXAMPLE } from '../sso/saml/saml.js';
import { authSamlV1 } from '../sso/saml/saml.v1.js';
import { legacyDiscovery, verifyUnbound } from './legacy.js';
import * as schema from './legacy.schema.js';
import { legacyV1 } from './legacy.v1.js';

const originals = [...sessionsV1, ...legacyV1, ...circuitV1, ...authSamlV1, ...authOidcV1];

/**
 * The `/api/auth/*` twin of a `/v1` route. It needs no credential, shares one rate limit with the other twins, and names the
 * original or the original's successor as its own. It runs the original's handler unless `changes` has one. It has no API
 * key, so a handler that uses the key's account must be replaced.
 */
function legacyTwin(operationId: string, changes: Partial<Route<typeof legacy>> = {}): Route {
  const original = originals.find((of) => of.operationId === operationId);
  if (original === undefined) throw new Error(`no route ${operationId}`);
  const { description, ...shared } = original;
  return {
    ...shared,
    operationId: `legacy${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`,
    path: original.path.replace(/^\/v1\/(identity|auth)\//, '/api/auth/'),
    auth: legacy,
    limit: LEGACY_LIMIT,
    successor: original.successor ?? original.path,
    ...changes,
  } as Route;
}

const tokenHeader = {
  'X-Session-Token': 'The access token; `Authorization: Bearer …` may carry it instead.',
};

/** The session token from either header. An `Authorization` header with another scheme is an invalid token, not a missing one. */
function tokenOf({ header }: { header(name: string): string | undefined }): string | undefined {
  const bearer = header('authorization');
  return header('x-session-token') ?? bearer?.replace(/^Bearer +/i, '');
}

export const authLegacy = [
  legacyTwin('getCurrentIdentity', {
    summary: 'Get the user and identity of a session',
    headers: tokenHeader,
    replies: { 200: schema.MeReply },
    noStore: true,
    handler: (context) => describeSession(context, tokenOf(context)),
  }),
  legacyTwin('refreshSession'),
  legacyTwin('logOut', {
    headers: tokenHeader,
    async handler(context) {
      await logOut(context, tokenOf(context));
      return { loggedOut: true };
    },
  }),
  legacyTwin('registerTemplate'),
  route({
    operationId: 'legacyVerifyUnboundProof',
    method: 'POST',
    path: '/api/auth/zkp/verify',
    summary: 'Verify a proof of any secret, enrolled or not (not a login)',
    description:
      'Not a login. `verified: true` means that the proof shows knowledge of some secret, not that anybody enrolled it. No account owns this endpoint, so no security policy applies to it. Its proofs have the lowest priority at the verifier.',
    auth: legacy,
    limit: LEGACY_LIMIT,
    successor: '/v1/identity/verify',
    schemas: { body: schema.UnboundVerifyBody },
    replies: { 200: schema.UnboundVerifyReply },
    errors: ['proof_verification_failed'],
    secret: true,
    handler: (context) => {
      const name = `legacy ${networkOf(context.address)}`;
      return verifyUnbound(context, context.body, { source: { name, keyless: true, priority: 'low' } });
    },
  }),
  legacyTwin('createNonce', {
    replies: { 200: schema.NonceReply },
    handler: async ({ deps }) => freshNonce(deps),
  }),
  legacyTwin('getCircuitInfo', {
    replies: { 200: schema.CircuitInfoReply },
    handler: async ({ deps }) => circuitInfo(deps.zk, false),
  }),
  legacyTwin('startSamlLogin'),
  legacyTwin('completeSamlLogin'),
  // Unlike the original, it also works when simulated sign-on is disabled.
  route({
    operationId: 'legacyGetSamlMetadata',
    method: 'GET',
    path: '/api/auth/saml/metadata',
    summary: 'Get the SAML metadata of this service provider',
    auth: legacy,
    limit: LEGACY_LIMIT,
    successor: '/v1/auth/saml/metadata',
    replies: { 200: 'application/xml; charset=utf-8' },
    examples: { 200: METADATA_EXAMPLE },
    handler: async ({ deps }) => describeServiceProvider(deps),
  }),
  legacyTwin('startOidcLogin'),
  legacyTwin('completeOidcLogin'),
  route({
    operationId: 'legacyGetOidcConfiguration',
    method: 'GET',
    path: '/api/auth/oidc/.well-known/openid-configuration',
    summary: 'Get the discovery document of the legacy endpoints',
    description: 'Has no `jwks_uri`, because session tokens are signed with HS256, a secret key.',
    auth: legacy,
    limit: LEGACY_LIMIT,
    successor: '/v1/auth/oidc/authorize',
    replies: { 200: schema.DiscoveryReply },
    handler: async ({ deps }) => legacyDiscovery(deps.config),
  }),
];
