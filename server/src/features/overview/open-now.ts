import type { Deps } from '../../http/deps.js';
import type { ScopedContext } from '../../http/route.js';
import { lockedOut } from '../identities/identities.js';
import { listRefused } from '../verifications/verifications.js';

const HOUR_MS = 60 * 60_000;

/** Who could not sign in, for the member at a desk. */
export async function readOpenNow({
  read,
  scope,
  deps,
}: Pick<ScopedContext, 'read' | 'scope'> & { readonly deps: Pick<Deps, 'clock'> }) {
  const now = deps.clock.now();
  const [refused, locked] = await Promise.all([listRefused(read, now - HOUR_MS), lockedOut(read, now)]);
  return { environment: scope.environment, refused, lockedOut: locked };
}
