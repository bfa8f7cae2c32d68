import { createHash, hash } from 'node:crypto';
import { type Adapter, type Client, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Scope } from '../../../ledger/audit-store.js';
import type { Issuer } from '../keys/keys.js';
import { type LogoutClient, sendLater } from '../logouts.js';
import { CUSTOM_CLAIMS } from './account.js';
import { acceptsSecret, extraOf } from './client-metadata.js';
import { configurationOf, type OpenIdDeps } from './configuration.js';
import { createHostedPages, setPageHeaders } from './pages.js';
import { AlreadyUsed, spendWithoutToken } from './spent-codes.js';
import { issuerPath, type Lifetimes, PATHS } from './surface.js';

const DISCOVERY = '/.well-known/openid-configuration';

type ResponseMode = Parameters<Provider['registerResponseMode']>[1];

/** Nothing is sent in the fragment of an address. The library would send errors there, also when no client may use it. */
class CodeFlowProvider extends Provider {
  private query: ResponseMode | undefined;

  override registerResponseMode(name: string, handler: ResponseMode): void {
    this.query ??= handler;
    super.registerResponseMode(name, name === 'fragment' ? this.query : handler);
  }
}

const RESPONSE_MODES = ['query', 'form_post'];

export function buildProvider(
  deps: OpenIdDeps,
  scope: Scope,
  issuer: Issuer,
  lifetimes: Lifetimes,
): Provider {
  const pages = createHostedPages(deps, scope);
  const provider = new CodeFlowProvider(
    `${deps.config.baseUrl}${issuerPath(scope)}`,
    configurationOf(deps, scope, issuer, pages, lifetimes),
  );
  adapt(provider);
  leaveLogoutsToJob(provider, deps, scope);
  provider.use(setPageHeaders);
  provider.use(addTags);
  provider.use(describeModes);
  provider.use(spendWithoutToken);
  return provider;
}

/** The library has no setting for this. A preflight has no body. */
async function describeModes(context: KoaContextWithOIDC, next: () => Promise<unknown>): Promise<void> {
  await next();
  if (context.path !== DISCOVERY || context.status !== 200) return;
  Object.assign(context.body as object, { response_modes_supported: RESPONSE_MODES });
}

const TAGGED: readonly string[] = [PATHS.jwks, DISCOVERY];

/** Discovery and keys rarely change: a client that has them gets a 304. */
async function addTags(context: KoaContextWithOIDC, next: () => Promise<unknown>): Promise<void> {
  await next();
  const isRead = context.method === 'GET' || context.method === 'HEAD';
  if (!isRead || context.status !== 200 || !TAGGED.includes(context.path)) return;
  context.set('cache-control', 'public, max-age=300');
  context.etag = createHash('sha256').update(JSON.stringify(context.body)).digest('base64url');
  if (context.fresh) context.status = 304;
}

/** Of concurrent requests with one identifier, one is the first. The library would let some of the others pass, too. */
async function useOnce(provider: Provider, iss: string, jti: string, exp: number): Promise<boolean> {
  const { adapter } = provider.ReplayDetection as unknown as { adapter: Adapter };
  const id = hash('sha256', JSON.stringify([iss, jti]), 'base64url');
  try {
    await adapter.upsert(id, { jti: id, iss, exp }, exp - Math.floor(Date.now() / 1000));
    return true;
  } catch (error) {
    if (error instanceof AlreadyUsed) return false;
    throw error;
  }
}

interface Claims {
  readonly available: { readonly [CUSTOM_CLAIMS]?: object };
  result(): Promise<object>;
}

interface Persisted {
  readonly exp?: number;
  persist(): Promise<unknown>;
}

/** What the library has no setting for. */
function adapt(provider: Provider): void {
  // The proxy headers are those that `handle` has set.
  provider.proxy = true;
  const { prototype } = provider.Client as unknown as { prototype: Client & { subjectType: string } };
  // Only hashes of secrets are stored.
  prototype.compareClientSecret = function compareClientSecret(this: Client, secret: string) {
    return acceptsSecret(this, secret);
  };
  // The error of a mode that a client may not use is sent in the default one. Other errors come from later checks.
  const { responseModeAllowed } = prototype;
  prototype.responseModeAllowed = function responseModeAsked(this: Client, ...args) {
    const params = Provider.ctx?.oidc.params;
    if (params?.response_mode === undefined || responseModeAllowed.apply(this, args)) return true;
    params.response_mode = undefined;
    return false;
  };
  const { Claims } = provider as unknown as { Claims: { prototype: Claims } };
  const { result } = Claims.prototype;
  Claims.prototype.result = async function withCustomClaims(this: Claims) {
    return { ...(await result.call(this)), ...this.available[CUSTOM_CLAIMS] };
  };
  Object.assign(provider.ReplayDetection, {
    unique: (iss: string, jti: string, exp: number) => useOnce(provider, iss, jti, exp),
  });
  // After an error, the library also saves sessions that it never stored, and fails.
  const { Session } = provider as unknown as { Session: { prototype: Persisted } };
  const { persist } = Session.prototype;
  Session.prototype.persist = async function persistIfStored(this: Persisted) {
    if (this.exp !== undefined) await persist.call(this);
  };
  // Subjects of every client go through `pairwiseIdentifier`, which also knows public ones. The library would ask a pairwise
  // device client for a file on its web site.
  Object.defineProperty(prototype, 'subjectType', { get: () => 'pairwise', set: () => {} });
  Object.defineProperty(prototype, 'sectorIdentifier', {
    get(this: Client) {
      return extraOf(this).svc_sector;
    },
  });
}

/** The library sends a logout once, while the browser waits. Here the job sends it, and repeats it. */
function leaveLogoutsToJob(provider: Provider, deps: OpenIdDeps, scope: Scope): void {
  const { prototype } = provider.Client as unknown as {
    prototype: LogoutClient & { backchannelLogout(sub: string): Promise<unknown> };
  };
  prototype.sendLogout = prototype.backchannelLogout;
  prototype.backchannelLogout = async function toldLater(this: Client) {
    const grantId = Provider.ctx?.oidc.session?.grantIdFor(this.clientId);
    if (grantId !== undefined) await sendLater(deps, scope, grantId);
  };
}
