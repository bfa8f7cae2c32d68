import { commitmentToHex, didHash, field248OfBytes } from '@svc/zk/field';
import { didOf } from '@svc/zk/phone';
import { poseidon2 } from '@svc/zk/poseidon';
import { CIRCUIT, type PinnedKey, type ServedRole } from '@svc/zk/setup/artifacts';
import type { Source } from '@svc/zk/verifier/pool';
import type { Static } from 'typebox';
import { fail, invalid } from '../../base/errors.js';
import { uuidV4 } from '../../base/random.js';
import type { Deps } from '../../http/deps.js';
import type { Tenant } from '../../http/principal.js';
import type { ScopedContext } from '../../http/route.js';
import { takeProofOnce, type UnboundVerifyBody } from '../identities/identities.js';
import { artifactPath } from './artifacts.public.js';

const NONCE_TTL_SECONDS = 300;
const SALT_BYTES = 31;
const NOTHING_STORED = 'No biometric data was stored.';

type Context = Pick<ScopedContext, 'scope' | 'write'> & { readonly deps: Deps };

export const freshNonce = ({ random, clock }: Pick<Deps, 'random' | 'clock'>) => ({
  nonce: uuidV4(random),
  timestamp: clock.now(),
  expiresIn: NONCE_TTL_SECONDS,
});

export function circuitInfo(zk: PinnedKey, verifyOnChain: boolean) {
  const pathOf = (kind: ServedRole) => `${artifactPath(kind)}?v=${zk.hashes[kind].slice(0, 16)}`;
  return {
    circuit: CIRCUIT,
    circuitVersion: zk.circuitVersion,
    protocol: 'groth16',
    curve: 'bn128',
    wasmPath: pathOf('wasm'),
    zkeyPath: pathOf('zkey'),
    vkeyPath: pathOf('vkey'),
    expectedVkeyHash: zk.sha256,
    vkeyAvailable: true,
    verifyOnChain,
    publicInputs: ['commitment', 'didHash', 'identityBinding'],
    privateInputs: ['biometricSecret', 'salt'],
    setup: zk.setup,
  };
}

/** Templates are taken only where the operator lets them be (DECISIONS §5, Deprecated register). */
export function requireTemplateRegister({ config }: Pick<Deps, 'config'>): void {
  if (!config.templateRegister) fail('template_register_disabled');
}

function decodeTemplate(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text
    ? bytes
    : invalid('body.biometricTemplate', 'must be base64 with padding');
}

/** Derives an identity's secrets from a template, hands them out and keeps nothing: not even the commitment. */
export async function deriveFromTemplate({ deps, write }: Context, template: string) {
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
    message: `${NOTHING_STORED} Keep biometricSecret and salt on the device: whoever has them can prove this identity.`,
  };
}

/** Verifies a proof of any secret. Not a login: nobody need have enrolled the secret, and the session has no user. */
export async function verifyUnbound(
  context: Context,
  input: Static<typeof UnboundVerifyBody>,
  { source, tenant }: { readonly source?: Source; readonly tenant?: Tenant },
) {
  const { accessToken, refreshToken, tokenType, expiresIn, sessionId } = await takeProofOnce(context, input, {
    action: 'zkp.verify',
    refusal: 'proof_verification_failed',
    ...(source && { source }),
    ...(tenant && { tenant }),
    judge: () => ({ identity: null, accepted: true }),
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
