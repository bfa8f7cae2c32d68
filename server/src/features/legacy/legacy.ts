import { commitmentToHex, didHash, field248OfBytes } from '@svc/zk/field';
import { didOf } from '@svc/zk/phone';
import { poseidon2 } from '@svc/zk/poseidon';
import type { Source } from '@svc/zk/verifier/pool';
import type { Static } from 'typebox';
import type { Config } from '../../base/config/config.js';
import { fail, invalid } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { Tenant } from '../../http/principal.js';
import { type ProofContext, verifyOnce } from '../proofs/proofs.js';
import { issueTokens, openedBy, prepareSession } from '../sessions/sessions.js';
import type { UnboundVerifyBody } from './legacy.schema.js';

const SALT_BYTES = 31;
const NOTHING_STORED = 'No biometric data was stored.';

/** Templates are accepted only if the operator enabled this [proofs/templates]. */
export function requireTemplateRegister({ config }: Pick<Deps, 'config'>): void {
  if (!config.templateRegister) fail('template_register_disabled');
}

function decodeTemplate(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text
    ? bytes
    : invalid('body.biometricTemplate', 'must be base64 with padding');
}

/** Derives an identity's secrets from a template and returns them. Nothing is stored, not even the commitment. */
export async function deriveFromTemplate(
  { deps, write }: Pick<ProofContext, 'deps' | 'write'>,
  template: string,
) {
  const bytes = decodeTemplate(template);
  const salt = deps.random.bytes(SALT_BYTES);
  const secret = field248OfBytes(Buffer.concat([salt, bytes]));
  const saltValue = BigInt(`0x${salt.toString('hex')}`);
  const commitment = commitmentToHex(poseidon2(secret, saltValue));
  const did = didOf(commitment);
  await write('zkp.register', async (w) => w.audit({ entityType: 'template', entityId: null }));
  return {
    did,
    commitment,
    didHash: commitmentToHex(didHash(did)),
    biometricSecret: commitmentToHex(secret),
    salt: commitmentToHex(saltValue),
    txHash: null,
    blockNumber: null,
    dataStored: false as const,
    message: `${NOTHING_STORED} Keep biometricSecret and salt on the device: anybody who has them can prove this identity.`,
  };
}

/** Verifies a proof of any secret. This is not a login: the secret need not be registered, and the session has no user. */
export async function verifyUnbound(
  context: ProofContext,
  input: Static<typeof UnboundVerifyBody>,
  { source, tenant }: { readonly source?: Source; readonly tenant?: Tenant },
) {
  const { deps, scope } = context;
  const session = prepareSession(deps);
  const userId = await verifyOnce(context, input, {
    action: 'zkp.verify',
    failure: 'proof_verification_failed',
    ...(source && { source }),
    ...(tenant && { tenant }),
    ...{ did: null, bindOf: null },
    opens: (outcome) => openedBy([session], outcome),
  });
  const { accessToken, refreshToken, tokenType, expiresIn, sessionId } = issueTokens(deps, scope, {
    ...{ sessionId: session.id, userId, did: null, refreshToken: session.refreshToken },
  });
  return {
    accessToken,
    refreshToken,
    tokenType,
    expiresIn,
    verified: true as const,
    sessionId,
    provider: 'zkp' as const,
    assurance: 'unbound' as const,
    dataStorageConfirmation: { biometricDataStored: false as const, message: NOTHING_STORED },
  };
}

/** The legacy endpoints' OIDC discovery document. Session tokens use HS256, so there is no public key and no `jwks_uri`. */
export function legacyDiscovery({ baseUrl }: Pick<Config, 'baseUrl'>) {
  const issuer = `${baseUrl}/api/auth/oidc`;
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/callback`,
    userinfo_endpoint: `${baseUrl}/api/auth/me`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['HS256'],
    code_challenge_methods_supported: ['S256'],
    scopes_supported: ['openid'],
  };
}
