import { authenticateAdmin } from './features/admin/admin.auth.js';
import { auditAdmin } from './features/audit/audit.admin.js';
import { auditV1 } from './features/audit/audit.v1.js';
import { artifactsPublic } from './features/auth-zkp/artifacts.public.js';
import { authZkpV1 } from './features/auth-zkp/auth-zkp.v1.js';
import { devicesV1 } from './features/devices/devices.v1.js';
import { docsPublic } from './features/docs/docs.public.js';
import { healthPublic } from './features/health/health.public.js';
import { identityV1 } from './features/identity/identity.v1.js';
import { authenticateKey } from './features/keys/keys.auth.js';
import { keysConsole } from './features/keys/keys.console.js';
import { authenticateConsole } from './features/tenants/tenants.auth.js';
import { tenantsConsole } from './features/tenants/tenants.console.js';
import { usageConsole } from './features/usage/usage.console.js';
import { createMeter } from './features/usage/usage.js';
import { verificationsV1 } from './features/verifications/verifications.v1.js';
import { createCursors } from './kernel/cursor.js';
import type { Deps } from './kernel/deps.js';
import { createHttp, type HttpServer } from './kernel/http.js';
import { createKeyring } from './kernel/keyring.js';
import { createIds } from './kernel/random.js';
import { createLimiter } from './kernel/rate-limit.js';
import type { Route } from './kernel/route.js';
import { createTokens } from './kernel/tokens.js';

/** Everything that the service answers, in the order of the contract. */
export function routesOf(version: string): Route[] {
  const routes: Route[] = [
    ...healthPublic,
    ...tenantsConsole,
    ...keysConsole,
    ...usageConsole,
    ...devicesV1,
    ...verificationsV1,
    ...auditV1,
    ...identityV1,
    ...authZkpV1,
    ...artifactsPublic,
    ...auditAdmin,
    ...docsPublic(version, () => routes),
  ];
  return routes;
}

/** What comes from outside: the process, or a test. */
export type Platform = Pick<
  Deps,
  'config' | 'db' | 'clock' | 'random' | 'log' | 'passwords' | 'verifier' | 'zk' | 'version' | 'ready'
> & {
  /** The server secret that every key is derived from, and the one before it during a rotation. */
  readonly secret: string;
};

export interface App {
  readonly http: HttpServer;
  readonly deps: Deps;
  readonly routes: readonly Route[];
}

/** Dependencies in, server out. */
export async function createApp({ secret, ...platform }: Platform): Promise<App> {
  const { config, clock, random, db, log } = platform;
  const keyring = createKeyring(secret, config.previousSecret);
  const ids = createIds(clock, random);
  const deps: Deps = {
    ...platform,
    ids,
    keyring,
    tokens: createTokens(keyring, clock),
    cursors: createCursors(keyring),
    limiter: createLimiter(clock),
    planLimiter: createLimiter(clock),
    meter: createMeter({ db, ids, log }),
    startedAt: clock.now(),
  };
  const routes = routesOf(platform.version);
  const http = await createHttp(
    deps,
    {
      key: (credentials) => authenticateKey(deps, credentials),
      console: (credentials) => authenticateConsole(deps, credentials),
      admin: (credentials) => authenticateAdmin(deps, credentials),
    },
    routes,
  );
  return { http, deps, routes };
}
