import { ConfigError } from '../base/config/config.js';
import { SealError } from '../base/crypto/sealer.js';
import { prepareKeys, type SealingDeps } from '../features/sealing/sealing.js';

/** Prepares the keys that encrypt secrets of tenants. @throws ConfigError if some of these secrets could not be read */
export async function prepareSealing(deps: SealingDeps): Promise<void> {
  try {
    await prepareKeys(deps);
  } catch (error) {
    throw error instanceof SealError ? new ConfigError(error.message) : error;
  }
}
