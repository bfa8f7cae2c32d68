import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KoaContextWithOIDC, default as Provider } from 'oidc-provider';
import { DatabaseUnavailableError } from '../../../db/db.js';
import { shareReads } from '../../../db/shared-reads.js';
import type { Deps } from '../../../http/deps.js';
import { chainName, type Scope } from '../../../ledger/audit-store.js';
import { findAccount } from '../../accounts/accounts.js';
import { readIssuer } from '../keys/keys.js';
import type { OpenIdDeps } from './configuration.js';
import { LIFETIMES, type Lifetimes } from './surface.js';

/** Issuers in memory. Building another one takes a few milliseconds. */
const MAX_PROVIDERS = 500;
/** What is read once for many requests may be this old: a new signing key is published a day before it signs. */
const MAX_AGE_MS = 60_000;

interface Built {
  readonly result: Promise<readonly [Provider | undefined, kids: string]>;
  readonly builtAt: number;
  /** The keys it was built with. */
  kids: string | undefined;
}

const RETRY_AFTER_SECONDS = '2';

function retryLater(context: KoaContextWithOIDC): void {
  context.status = 503;
  context.set('retry-after', RETRY_AFTER_SECONDS);
  context.body = { error: 'temporarily_unavailable', error_description: 'Try again later.' };
}

/** The providers of all issuers of active accounts. One is built when it is first asked for. */
export function createOpenId(
  basis: Omit<OpenIdDeps, 'reads'>,
  lifetimes: Lifetimes = LIFETIMES,
): Deps['openId'] {
  const deps = { ...basis, reads: shareReads(basis.db) };
  const built = new Map<string, Built>();

  async function build(scope: Scope, kept: Built | undefined): Built['result'] {
    const account = await findAccount(deps, scope.tenantId);
    const issuer = account?.status === 'active' ? await readIssuer(deps, scope) : undefined;
    const kids = issuer?.keys.map(({ kid, state }) => `${kid} ${state}`).join(',') ?? '';
    if (kept !== undefined && kept.kids === kids) return kept.result;
    if (issuer === undefined) return [undefined, kids];
    // The library is only loaded by those who use it.
    const { buildProvider } = await import('./build.js');
    const provider = buildProvider(deps, scope, issuer, lifetimes);
    provider.on('server_error', (context, error) => {
      deps.log.error({ err: error }, 'OpenID request failed');
      if (error instanceof DatabaseUnavailableError && context.status === 500) retryLater(context);
    });
    // Otherwise Koa writes to the console. The library's types do not know that it is one.
    (provider as EventEmitter).on('error', (err: Error) => deps.log.error({ err }, 'OpenID request failed'));
    return [provider, kids];
  }

  return {
    async find(scope) {
      const name = chainName(scope);
      const now = deps.clock.now();
      const kept = built.get(name);
      if (kept !== undefined && now - kept.builtAt < MAX_AGE_MS) return (await kept.result)[0];
      const result = build(scope, kept);
      const entry: Built = { result, builtAt: now, kids: undefined };
      // The oldest one leaves, so that those in use are not built again and again.
      built.delete(name);
      built.set(name, entry);
      if (built.size > MAX_PROVIDERS) built.delete(built.keys().next().value as string);
      try {
        const [provider, kids] = await result;
        entry.kids = kids;
        return provider;
      } finally {
        // Neither a failure nor an environment without a client takes the place of another one.
        if (!entry.kids && built.get(name) === entry) built.delete(name);
      }
    },
  };
}

const callbacks = new WeakMap<Provider, ReturnType<Provider['callback']>>();

/** The library makes another one at each call. */
function callbackOf(provider: Provider) {
  const callback = callbacks.get(provider) ?? provider.callback();
  callbacks.set(provider, callback);
  return callback;
}

/** The path of an issuer. */
const MOUNT = /^\/[^/]*\/[^/]*\/[^/?]*/;

/** Passes a request on to the library, below the path of the issuer. Addresses come from the settings, never from the request. */
export async function handle(
  provider: Provider,
  {
    request,
    response,
    address,
    baseUrl,
    mount,
  }: {
    readonly request: IncomingMessage;
    readonly response: ServerResponse;
    readonly address: string;
    readonly baseUrl: string;
    readonly mount: string;
  },
): Promise<void> {
  const { protocol, host } = new URL(baseUrl);
  // As Express does it: the difference is where the library believes to be mounted. The path may spell tenant and environment otherwise.
  const url = (request.url ?? '/').replace(MOUNT, '');
  Object.assign(request, { originalUrl: `${mount}${url}`, url });
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  request.headers['x-forwarded-host'] = host;
  request.headers['x-forwarded-for'] = address;
  await callbackOf(provider)(request, response);
}
