import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { UNREADABLE } from '../base/address.js';
import { Failure } from '../base/errors.js';
import { ReplayError } from '../ledger/idempotency.js';
import { ERRORS } from '../model/errors.js';
import {
  requireAccount,
  requireActs,
  requireEnvironment,
  requireRight,
  requireRole,
  requireScope,
} from './access.js';
import type { Callers } from './admission/callers.js';
import { isShed } from './admission/shed.js';
import { contextOf } from './context.js';
import type { Deps } from './deps.js';
import { createLimits, planHeaders, requireActive } from './limits.js';
import {
  type Authenticators,
  type ConsolePrincipal,
  type Credentials,
  DEVICE_TOKEN,
  type DevicePrincipal,
  type StaffPrincipal,
} from './principal.js';
import { credentialsOf, openState, principalOf, type RequestState } from './request-state.js';
import {
  accessOf,
  type Context,
  type Route,
  scopesOf,
  statusOf,
  takesDevice,
  takesPhone,
  takesSession,
} from './route.js';

/** How long a slot is held at most after the client disconnected. All statements have ended by then. */
const ABANDONED_MS = 30_000;

/** The steps before and after every handler, in the order of [http/order-of-checks]. */
export function createPipeline(deps: Deps, auth: Authenticators, callers: Callers) {
  const limits = createLimits(deps);
  const authenticate = createAuthentication(auth, callers, limits);
  const noteUnreadable = createNoteOfUnreadable(deps);

  return {
    open(requestId: string, ip: string, method: string): RequestState {
      const state = openState({ requestId, ip, method, startedAt: deps.clock.now() });
      if (state.address === UNREADABLE) noteUnreadable(ip);
      return state;
    },

    /** Slot → address limit → credential → tenant state → window, quota → scope → gate. */
    async admit(
      state: RequestState,
      route: Route,
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<void> {
      state.route = route;
      state.endpoint = route.path;
      if (isShed(route)) await takeSlot(deps, callers, state, request, reply);
      state.credentials = credentialsOf(request, state, deps.config);
      state.isPhone = takesPhone(route) && !hasKey(state.credentials);
      if (route.limit !== undefined && (state.isPhone || !takesPhone(route))) {
        const params = request.params as Record<string, string>;
        await limits.admitAddress(state, route.limit, params);
      }
      try {
        if (!state.isPhone) await authenticate(state, state.credentials, route, request, reply);
      } catch (error) {
        if (error instanceof Failure && ERRORS[error.code].status === 401) callers.rejected(request.headers);
        throw error;
      }
      requireActs(route, state, request.query);
      route.gate?.(deps);
      // A client could send its body slowly and hold the slot.
      if (request.raw.complete === false) state.slot?.leave();
    },

    /** Takes the slot again after the body was read. The handlers of raw routes read it themselves. */
    resume: (state: RequestState, route: Route): Promise<void> | undefined =>
      route.raw ? undefined : state.slot?.take(),

    context: (state: RequestState, route: Route, request: FastifyRequest, reply: FastifyReply): Context =>
      contextOf(deps, state, route, request, reply),

    /** The rest of the credential of a phone without a key. Whatever else is wrong with its body comes later. */
    admitPhone({ isPhone }: RequestState, body: unknown): void {
      if (isPhone) requireAccount(body);
    },

    /** Judges the acts that depend on the body, once it is valid. */
    judge: (state: RequestState, route: Route, request: FastifyRequest): void =>
      requireActs(route, state, request.query, request.body),

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
        await settle(deps, state, reply, failure);
      } finally {
        state.slot?.end();
      }
    },
  };
}

const NOTE_INTERVAL_MS = 60_000;

/** Logs once a minute that a trusted proxy sends addresses that nobody can read, with their form and not what they say. */
function createNoteOfUnreadable({ clock, log }: Pick<Deps, 'clock' | 'log'>) {
  let notedAt = Number.NEGATIVE_INFINITY;
  let requests = 0;
  return (text: string) => {
    requests += 1;
    if (clock.now() - notedAt < NOTE_INTERVAL_MS) return;
    const form = text
      .slice(0, 60)
      .replace(/\d/g, '0')
      .replace(/[^\W\d_]/g, 'a');
    log.warn({ requests, form }, 'TRUST_PROXY: X-Forwarded-For has addresses that cannot be read');
    notedAt = clock.now();
    requests = 0;
  };
}

/** Checks the credential that a route asks for, and what its caller may do. */
function createAuthentication(
  auth: Authenticators,
  callers: Callers,
  limits: ReturnType<typeof createLimits>,
) {
  const admitSession = async (
    state: RequestState,
    principal: ConsolePrincipal,
    route: Route,
    { headers, query }: FastifyRequest,
  ) => {
    state.consolePrincipal = principal;
    callers.accepted(headers, principal.tenant.id);
    requireActive(principal.tenant, route.whileClosing);
    await limits.admitConsole(state, principal.tenant);
    const access = accessOf(route);
    requireRole(principal, access?.role);
    requireRight(principal, access?.right);
    requireEnvironment(principal, route, query);
  };
  const admitDevice = async (
    state: RequestState,
    principal: DevicePrincipal,
    headers: IncomingHttpHeaders,
    reply: FastifyReply,
  ) => {
    const { device, environment, tenant } = principal;
    state.devicePrincipal = principal;
    callers.accepted(headers, tenant.id);
    await limits.admitCaller(state, { keyId: device.id, environment, tenant }, reply);
  };
  const admitStaff = async (
    state: RequestState,
    principal: StaffPrincipal,
    headers: IncomingHttpHeaders,
    reply: FastifyReply,
  ) => {
    const { desk, environment, tenant } = principal;
    state.staffPrincipal = principal;
    callers.accepted(headers, tenant.id);
    await limits.admitCaller(state, { keyId: desk.id, environment, tenant }, reply);
  };
  return async (
    state: RequestState,
    credentials: Credentials,
    route: Route,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> => {
    const { auth: required } = route;
    if (
      required.kind === 'device' ||
      (required.kind === 'key' && takesDevice(route) && isDeviceSession(credentials))
    ) {
      await admitDevice(state, await auth.device(credentials), request.headers, reply);
    } else if (required.kind === 'key' && !(takesSession(route) && isSession(credentials))) {
      const principal = await auth.key(credentials);
      state.keyPrincipal = principal;
      callers.accepted(request.headers, principal.tenant.id);
      await limits.admitKey(state, principal, reply);
      for (const scope of scopesOf(route)) requireScope(principal, scope);
    } else if (required.kind === 'key' || required.kind === 'console') {
      await admitSession(state, await auth.console(credentials), route, request);
    } else if (required.kind === 'staff') {
      await admitStaff(state, await auth.staff(credentials), request.headers, reply);
    } else if (required.kind === 'admin') {
      await auth.admin(credentials);
    } else if (required.kind === 'legacy') {
      state.legacyPrincipal = await auth.legacy();
      requireActive(state.legacyPrincipal.tenant);
    }
  };
}

/** Whether a key was sent, valid or not. Beside one, nothing else is a credential. */
const hasKey = ({ header }: Credentials): boolean =>
  header('authorization') !== undefined || header('x-api-key') !== undefined;

/** A request of our own pages without a key. */
const isSession = (credentials: Credentials): boolean => !hasKey(credentials) && credentials.isFromOwnPage;

/** The session of a device and no key. Its form alone decides which credential is judged. */
function isDeviceSession({ header }: Credentials): boolean {
  const authorization = header('authorization');
  return (
    typeof authorization === 'string' && DEVICE_TOKEN.test(authorization) && header('x-api-key') === undefined
  );
}

/** Waits until this node works on the request. Rejects with 503 before anything is counted or looked up. */
async function takeSlot(
  { admission, timers }: Pick<Deps, 'admission' | 'timers'>,
  callers: Callers,
  state: RequestState,
  { headers }: FastifyRequest,
  { raw }: FastifyReply,
): Promise<void> {
  const slot = admission.slotFor(callers.of(headers, state.address));
  state.slot = slot;
  raw.once('close', () => {
    if (slot.state === 'waiting') slot.leave();
    else if (slot.state === 'taken') timers.after(ABANDONED_MS, slot.end);
  });
  await slot.take();
}

/** Counts and logs the call. 429 and 503 count in neither window nor quota. */
async function settle(
  { meter, counters, metrics, log }: Pick<Deps, 'meter' | 'counters' | 'metrics' | 'log'>,
  state: RequestState,
  reply: FastifyReply,
  failure?: Failure,
): Promise<void> {
  const status = failure ? statusOf(failure.code, state.route) : reply.statusCode;
  const elapsedMs = performance.now() - state.startedMonotonic;
  const durationMs = Math.round(elapsedMs);
  const { planHit, planCaller: principal, requestId, method, endpoint, address, startedAt: at } = state;
  if (planHit && principal) {
    state.planHit = undefined;
    if (status === 503 || status === 429) planHeaders(reply, principal, await planHit.refund());
    const error = failure?.code ?? null;
    await meter.settle({ principal, requestId, method, endpoint, address, status, at, durationMs, error });
  }
  if (status < 400) await state.addressHit?.refund();
  counters.request(status, failure?.code);
  metrics.request(method, endpoint, status, elapsedMs / 1000);
  log[levelOf(status, failure)]({
    requestId,
    method,
    endpoint,
    status,
    durationMs,
    tenantId: principalOf(state)?.tenant.id,
    keyId: state.keyPrincipal?.keyId,
    deviceId: state.devicePrincipal?.device.id ?? state.staffPrincipal?.desk.id,
    error: failure?.code,
    because: failure?.options.because,
  });
}

/** An intended 503 is a warning. The 503 of a health route has no failure and is not even that. */
function levelOf(status: number, failure: Failure | undefined): 'info' | 'warn' | 'error' {
  if (failure === undefined || status < 500) return 'info';
  return status === 503 ? 'warn' : 'error';
}
