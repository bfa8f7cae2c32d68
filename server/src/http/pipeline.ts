import { fastifyCookie as cookies } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../base/address.js';
import { Failure, fail, invalid } from '../base/errors.js';
import { type Hit, hitBoth, type Window, type WindowState } from '../cluster/rate-limit.js';
import type { Scope } from '../ledger/audit-store.js';
import type { Idempotency } from '../ledger/idempotency.js';
import { idempotencyKey, ReplayError } from '../ledger/idempotency.js';
import { type Actor, reader, type TenantWrite } from '../ledger/write.js';
import type { AuditAction } from '../model/audit-actions.js';
import { ERRORS } from '../model/errors.js';
import { CONSOLE_LIMITS, PLAN_LIMITS, PLAN_WINDOW_MS } from '../model/plans.js';
import type { Slot } from './admission/admission.js';
import type { Callers } from './admission/callers.js';
import { isShed } from './admission/shed.js';
import type { Deps } from './deps.js';
import type {
  Authenticators,
  ConsolePrincipal,
  Credentials,
  KeyPrincipal,
  LegacyPrincipal,
  Tenant,
} from './principal.js';
import type { AddressLimit, Context, CookieAttributes, Route } from './route.js';

/** The limit of an IPv6 /48, as a multiple of the limit of one address (DECISIONS §9). */
const ADDRESSES_PER_NETWORK = 10;

/** How long a slot is held at most after the client disconnected. All statements have ended by then. */
const ABANDONED_MS = 30_000;
/** A write that takes longer waits for a lock and does not use the node. */
const SLOW_WRITE_MS = 500;

/** The state of a request in the pipeline. */
export interface RequestState {
  readonly requestId: string;
  readonly address: string;
  readonly method: string;
  readonly startedAt: number;
  readonly startedMonotonic: number;
  params: Record<string, string>;
  bodyHash: string;
  /** The name of the endpoint in logs and metrics. */
  endpoint: string;
  route?: Route;
  /** Absent for routes that are served under any load. */
  slot?: Slot;
  keyPrincipal?: KeyPrincipal;
  consolePrincipal?: ConsolePrincipal;
  legacyPrincipal?: LegacyPrincipal;
  /** The hit in the plan's window, set once the quota has admitted the call too. */
  planHit?: Hit;
}

/** The steps before and after every handler, in the order of DECISIONS §1. */
export function createPipeline(deps: Deps, auth: Authenticators, callers: Callers) {
  const { limiter, planLimiter, clock, config } = deps;

  /** The five headers of every authenticated /v1 response. */
  function planHeaders(reply: FastifyReply, { tenant }: KeyPrincipal, window: WindowState) {
    void reply.headers({
      'x-ratelimit-limit': String(window.limit),
      'x-ratelimit-remaining': String(window.remaining),
      'x-ratelimit-reset': String(Math.ceil(window.resetAt / 1000)),
      'x-svc-tenant': tenant.id,
      'x-svc-plan': tenant.plan,
    });
  }

  const planWindow = ({ tenant }: KeyPrincipal) =>
    [
      tenant.id,
      PLAN_LIMITS[tenant.plan].requestsPer15Min * config.planWindowMultiplier,
      PLAN_WINDOW_MS,
    ] as const;

  const secondsUntil = (at: number) => Math.max(1, Math.ceil((at - clock.now()) / 1000));

  const requireAllowed = ({ allowed, retryAt }: WindowState) => {
    if (!allowed) fail('rate_limit_exceeded', { retryAfterSeconds: secondsUntil(retryAt) });
  };

  async function limitAddress({ address }: RequestState, { name, max, windowSeconds }: AddressLimit) {
    const network = networkOf(address);
    const own: Window = [`${name}|${address}`, max, windowSeconds * 1000];
    const shared: Window = [`${name}|${network}`, max * ADDRESSES_PER_NETWORK, windowSeconds * 1000];
    requireAllowed(await (network === address ? limiter.hit(...own) : hitBoth(limiter, own, shared)));
  }

  async function limitConsole({ method }: RequestState, { id }: Tenant) {
    const times = config.planWindowMultiplier;
    const { requests, writes, windowMs } = CONSOLE_LIMITS;
    const all: Window = [`console|${id}`, requests * times, windowMs];
    const written: Window = [`console-writes|${id}`, writes * times, windowMs];
    requireAllowed(await (method === 'GET' ? planLimiter.hit(...all) : hitBoth(planLimiter, written, all)));
  }

  async function admitKey(state: RequestState, principal: KeyPrincipal, reply: FastifyReply) {
    state.keyPrincipal = principal;
    if (principal.tenant.status !== 'active')
      planHeaders(reply, principal, await planLimiter.peek(...planWindow(principal)));
    requireActive(principal.tenant);
    const window = await planLimiter.hit(...planWindow(principal));
    planHeaders(reply, principal, window);
    requireAllowed(window);
    let admitted = false;
    try {
      admitted = await deps.meter.admit(principal, state.startedAt);
    } finally {
      // A call that the quota rejects, or that finds no database, does not count in the window.
      if (!admitted) planHeaders(reply, principal, await window.refund());
    }
    if (!admitted)
      fail('monthly_quota_exceeded', { retryAfterSeconds: secondsUntil(nextMonth(state.startedAt)) });
    state.planHit = window;
  }

  /** Waits until this node works on the request. Rejects with 503 before anything is counted or looked up. */
  async function takeSlot(state: RequestState, { headers }: FastifyRequest, { raw }: FastifyReply) {
    const slot = deps.admission.slotFor(callers.of(headers, state.address));
    state.slot = slot;
    raw.once('close', () => {
      if (slot.state === 'waiting') slot.leave();
      else if (slot.state === 'taken') deps.timers.after(ABANDONED_MS, slot.end);
    });
    await slot.take();
  }

  async function authenticate(
    state: RequestState,
    { auth: required }: Route,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const credentials = credentialsOf(request, state.address);
    if (required.kind === 'key') {
      const principal = await auth.key(credentials);
      callers.accepted(request.headers, principal.tenant.id);
      await admitKey(state, principal, reply);
      if (!principal.scopes.includes(required.scope)) {
        fail('insufficient_scopes', { message: `This endpoint needs the scope ${required.scope}.` });
      }
    } else if (required.kind === 'console') {
      state.consolePrincipal = await auth.console(credentials);
      callers.accepted(request.headers, state.consolePrincipal.tenant.id);
      requireActive(state.consolePrincipal.tenant);
      await limitConsole(state, state.consolePrincipal.tenant);
    } else if (required.kind === 'admin') {
      await auth.admin(credentials);
    } else if (required.kind === 'legacy') {
      state.legacyPrincipal = await auth.legacy();
      requireActive(state.legacyPrincipal.tenant);
    }
  }

  /** 429 and 503 count in neither window nor quota. */
  async function settle(state: RequestState, reply: FastifyReply, failure?: Failure): Promise<void> {
    const status = failure ? ERRORS[failure.code].status : reply.statusCode;
    const elapsedMs = performance.now() - state.startedMonotonic;
    const durationMs = Math.round(elapsedMs);
    const { planHit, keyPrincipal: principal, requestId, method, endpoint, startedAt: at } = state;
    if (planHit && principal) {
      delete state.planHit;
      if (status === 503 || status === 429) planHeaders(reply, principal, await planHit.refund());
      const error = failure?.code ?? null;
      await deps.meter.settle({ principal, requestId, method, endpoint, status, at, durationMs, error });
    }
    deps.counters.request(status, failure?.code);
    deps.metrics.request(state.method, endpoint, status, elapsedMs / 1000);
    deps.log[levelOf(status, failure)]({
      requestId: state.requestId,
      method: state.method,
      endpoint,
      status,
      durationMs,
      tenantId: principalOf(state)?.tenant.id,
      keyId: state.keyPrincipal?.keyId,
      error: failure?.code,
      because: failure?.options.because,
    });
  }

  return {
    open: (requestId: string, address: string, method: string): RequestState => ({
      requestId,
      address,
      method,
      startedAt: clock.now(),
      startedMonotonic: performance.now(),
      params: {},
      bodyHash: '',
      endpoint: '(none)',
    }),

    /** Slot → address limit → credential → tenant state → window, quota → scope → gate. */
    async admit(
      state: RequestState,
      route: Route,
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<void> {
      state.route = route;
      state.endpoint = route.path;
      if (isShed(route)) await takeSlot(state, request, reply);
      if (route.limit !== undefined) await limitAddress(state, route.limit);
      try {
        await authenticate(state, route, request, reply);
      } catch (error) {
        if (error instanceof Failure && ERRORS[error.code].status === 401) callers.rejected(request.headers);
        throw error;
      }
      route.gate?.(deps);
      // A client could send its body slowly and hold the slot.
      if (request.raw.complete === false) state.slot?.leave();
    },

    /** Takes the slot again after the body was read. The handlers of raw routes read it themselves. */
    resume: (state: RequestState, route: Route): Promise<void> | undefined =>
      route.raw ? undefined : state.slot?.take(),

    context(state: RequestState, route: Route, request: FastifyRequest, reply: FastifyReply): Context {
      const { header, cookie } = credentialsOf(request, state.address);
      const single = (name: string) => {
        const value = header(name);
        return typeof value === 'object' ? invalid(`headers.${name}`, 'must be sent once') : value;
      };
      const idempotency = route.replay && readIdempotency(single('idempotency-key'), route, state.bodyHash);
      const writeIn = async <T>(
        scope: Scope,
        actor: Actor,
        action: AuditAction,
        work: (w: TenantWrite) => Promise<T>,
        locks?: 'tenant',
      ): Promise<T> => {
        const isAbandoned = () => reply.raw.destroyed && !reply.raw.writableFinished;
        const write = { scope, actor, action, idempotency, isAbandoned, credential: credentialOf(state) };
        // Otherwise the writes of one locked chain would hold all slots of the node.
        const cancel = deps.timers.after(SLOW_WRITE_MS, () => state.slot?.leave());
        try {
          // In `Context`, only routes that declare that they lock get a `TenantWrite`.
          const result = await deps.write({ ...write, locks: locks as 'tenant' }, work);
          deps.counters.write(action);
          return result;
        } finally {
          cancel();
          await state.slot?.take();
        }
      };
      const base = {
        deps,
        requestId: state.requestId,
        address: state.address,
        params: state.params,
        query: request.query,
        body: request.body,
        header: single,
        cookie,
        setHeader: (name: string, value: string) => void reply.header(name, value),
        setCookie: (name: string, value: string, { path, maxAgeSeconds: maxAge }: CookieAttributes) =>
          void reply.header(
            'set-cookie',
            cookies.serialize(name, value, {
              path,
              maxAge,
              httpOnly: true,
              secure: true,
              sameSite: 'strict',
            }),
          ),
        setStatus: (status: number) => void reply.code(status),
        async idle<T>(wait: () => Promise<T>): Promise<T> {
          state.slot?.leave();
          try {
            return await wait();
          } finally {
            await state.slot?.take();
          }
        },
        onClose: (run: () => void) => void (reply.raw.closed ? run() : reply.raw.once('close', run)),
        writeIn,
      };
      const caller = callerOf(state, request.query as Record<string, unknown>);
      if (caller === undefined) return base as unknown as Context;
      return {
        ...base,
        principal: principalOf(state),
        scope: caller.scope,
        read: reader(deps.db, caller.scope),
        write: <T>(action: AuditAction, work: (w: TenantWrite) => Promise<T>, locks?: 'tenant') =>
          writeIn(caller.scope, caller.actor, action, work, locks),
      } as unknown as Context;
    },

    /** Runs the handler. A repeated Idempotency-Key returns the record of the first request instead. */
    async run(route: Route, context: Context, reply: FastifyReply): Promise<unknown> {
      try {
        return await route.handler(context);
      } catch (error) {
        if (!(error instanceof ReplayError) || route.replay === undefined) throw error;
        void reply.header('idempotent-replayed', 'true');
        return route.replay(context, error.recordId);
      }
    },

    /** Counts the call, logs it and gives its slot back. */
    async close(state: RequestState, reply: FastifyReply, failure?: Failure): Promise<void> {
      try {
        await settle(state, reply, failure);
      } finally {
        state.slot?.end();
      }
    },
  };
}

/** An intended 503 is a warning. The 503 of a health route has no failure and is not even that. */
function levelOf(status: number, failure: Failure | undefined): 'info' | 'warn' | 'error' {
  if (failure === undefined || status < 500) return 'info';
  return status === 503 ? 'warn' : 'error';
}

const principalOf = ({ keyPrincipal, consolePrincipal, legacyPrincipal }: RequestState) =>
  keyPrincipal ?? consolePrincipal ?? legacyPrincipal;

/** Checks the caller's credential again in the transaction of a write. */
function credentialOf(state: RequestState) {
  const principal = principalOf(state);
  if (principal === undefined) return undefined;
  const code = state.keyPrincipal
    ? 'invalid_api_key'
    : state.consolePrincipal
      ? 'invalid_console_token'
      : 'tenant_inactive';
  const reject = () => fail(code, { because: 'ended during the request' });
  return { revalidate: (now: number) => principal.revalidate(now), reject };
}

function requireActive(tenant: Tenant): void {
  if (tenant.status !== 'active') fail('tenant_inactive', { because: tenant.status });
}

function nextMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** The scope and actor of a caller's writes. A console session chooses the environment by query. Default: live. */
function callerOf(state: RequestState, query: Record<string, unknown>) {
  if (state.keyPrincipal) {
    const { tenant, keyId, environment } = state.keyPrincipal;
    return {
      scope: { tenantId: tenant.id, environment },
      actor: { type: 'api_key', id: keyId } satisfies Actor,
    };
  }
  if (state.consolePrincipal) {
    const { id } = state.consolePrincipal.tenant;
    const environment = query.environment === 'test' ? 'test' : 'live';
    return { scope: { tenantId: id, environment }, actor: { type: 'console', id } satisfies Actor } as const;
  }
  if (state.legacyPrincipal) {
    const { id } = state.legacyPrincipal.tenant;
    return {
      scope: { tenantId: id, environment: 'live' },
      actor: { type: 'system', id: null } satisfies Actor,
    } as const;
  }
  return undefined;
}

/** Node joins repeated headers or drops the later ones. A credential that was sent twice must be rejected, not chosen by chance. */
function credentialsOf(request: FastifyRequest, address: string): Credentials {
  return {
    address,
    header(name) {
      const { rawHeaders } = request.raw;
      const values: string[] = [];
      for (let at = 0; at < rawHeaders.length; at += 2) {
        if (rawHeaders[at]?.toLowerCase() === name) values.push(rawHeaders[at + 1] as string);
      }
      return values.length > 1 ? values : values[0];
    },
    cookie: (name) => cookies.parse(request.headers.cookie ?? '')[name],
  };
}

function readIdempotency(
  header: string | undefined,
  route: Route,
  bodyHash: string,
): Idempotency | undefined {
  const key = idempotencyKey(header);
  return key === undefined ? undefined : { key, route: `${route.method} ${route.path}`, bodyHash };
}
