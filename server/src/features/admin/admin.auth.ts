import { UNREADABLE } from '../../base/address.js';
import { equalSecrets } from '../../base/crypto/keyring.js';
import { fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { Credentials } from '../../http/principal.js';

const FAILURES: readonly [number, number] = [10, 60_000];
/** The key is too long to guess. Ten wrong ones of anybody must not keep the operator out. */
const UNREADABLE_FAILURES: readonly [number, number] = [1_000, 60_000];

/** The operator's static key. Without a configured key, the admin endpoints do not exist. */
export async function authenticateAdmin(
  { config, limiter, clock }: Pick<Deps, 'config' | 'limiter' | 'clock'>,
  { header, address }: Credentials,
): Promise<void> {
  if (config.adminApiKey === undefined) fail('not_found');
  const window = `admin|${address}`;
  const failures = address === UNREADABLE ? UNREADABLE_FAILURES : FAILURES;
  const { allowed, retryAt } = await limiter.peek(window, ...failures);
  if (!allowed)
    fail('rate_limit_exceeded', {
      retryAfterSeconds: Math.max(1, Math.ceil((retryAt - clock.now()) / 1000)),
    });
  const key = header('x-api-key');
  if (key === undefined) fail('missing_api_key', { message: 'Send the operator’s key in X-API-Key.' });
  if (typeof key !== 'string' || !equalSecrets(key, config.adminApiKey)) {
    await limiter.hit(window, ...failures);
    fail('invalid_api_key', { message: 'The key in X-API-Key is not the operator’s.' });
  }
}
