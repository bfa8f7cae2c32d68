import { fail } from '../../base/errors.js';
import { equalSecrets } from '../../base/keyring.js';
import type { Deps } from '../../http/deps.js';
import type { Credentials } from '../../http/principal.js';

const FAILURES = [10, 60_000] as const;

/** The operator's static key. Without a configured key, the admin endpoints do not exist. */
export async function authenticateAdmin(
  { config, limiter, clock }: Pick<Deps, 'config' | 'limiter' | 'clock'>,
  { header, address }: Credentials,
): Promise<void> {
  if (config.adminApiKey === undefined) fail('not_found');
  const window = `admin|${address}`;
  const { allowed, retryAt } = await limiter.peek(window, ...FAILURES);
  if (!allowed)
    fail('rate_limit_exceeded', {
      retryAfterSeconds: Math.max(1, Math.ceil((retryAt - clock.now()) / 1000)),
    });
  const key = header('x-api-key');
  if (key === undefined) fail('missing_api_key', { message: 'Send the operator’s key in X-API-Key.' });
  if (typeof key !== 'string' || !equalSecrets(key, config.adminApiKey)) {
    await limiter.hit(window, ...FAILURES);
    fail('invalid_api_key', { message: 'The key in X-API-Key is not the operator’s.' });
  }
}
