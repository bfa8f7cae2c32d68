import type { IdentityProver } from '../identity-prover.js';
import { createIdentity, type PhoneIdentity, renewIdentity } from '../phone-identity.js';
import type { PhoneProver } from './ports.js';
import type { Secret } from './records.js';
import { proveWork } from './work.js';

/** How a phone stores a secret. */
export interface SecretFormat<S extends Secret> {
  seal(identity: PhoneIdentity): S | Promise<S>;
  open(secret: S): PhoneIdentity | Promise<PhoneIdentity>;
}

/**
 * The prover of a phone that reads its secrets in this thread. `load` is called at the first proof, and again after it failed.
 *
 * @example
 * const prover = phoneProver(async () => createProver(await readArtifacts()), { seal, open });
 */
export function phoneProver<S extends Secret>(
  load: () => Promise<IdentityProver>,
  { seal, open }: SecretFormat<S>,
): PhoneProver<S> {
  let loading: Promise<IdentityProver> | undefined;
  const loaded = async () => {
    loading ??= load();
    try {
      return await loading;
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
  return {
    create: async () => seal(createIdentity()),
    renew: async (identity) => seal(renewIdentity(identity)),
    async prove(secret, work, onStage) {
      onStage?.('loading');
      const proofs = await loaded();
      onStage?.('proving');
      return proveWork(proofs, secret, work, open);
    },
  };
}
