import type { FastifyReply } from 'fastify';
import { addressOf, networkOf, UNREADABLE } from '../base/address.js';
import { fail } from '../base/errors.js';
import { hitAll, type Window, type WindowState } from '../cluster/rate-limit.js';
import { CONSOLE_LIMITS, PLAN_LIMITS, PLAN_WINDOW_MS } from '../model/plans.js';
import type { Deps, PlanCaller, RejectedCall } from './deps.js';
import type { KeyPrincipal, Tenant } from './principal.js';
import type { RequestState } from './request-state.js';
import type { AddressLimit } from './route.js';

/** The limit of an IPv6 /48, as a multiple of the limit of one address [limits/ipv6-networks]. */
const ADDRESSES_PER_NETWORK = 10;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The form in which the record is found. Whatever is no UUID finds none and counts together, so that keys stay short. */
const idOf = (param = '') => (UUID.test(param) ? param.toLowerCase() : 'no record');

type LimitsDeps = Pick<Deps, 'limiter' | 'planLimiter' | 'meter' | 'clock' | 'config'>;

/** How often an address, an account's dashboard and an API key may call. */
export function createLimits({ limiter, planLimiter, meter, clock, config }: LimitsDeps) {
  const planWindow = ({ tenant }: PlanCaller) =>
    [
      tenant.id,
      PLAN_LIMITS[tenant.plan].requestsPer15Min * config.planWindowMultiplier,
      PLAN_WINDOW_MS,
    ] as const;

  const secondsUntil = (at: number) => Math.max(1, Math.ceil((at - clock.now()) / 1000));

  const requireAllowed = ({ allowed, retryAt }: WindowState) => {
    if (!allowed) fail('rate_limit_exceeded', { retryAfterSeconds: secondsUntil(retryAt) });
  };

  /** The account's status, the plan's window and the month's quota. */
  async function admitCaller(state: RequestState, principal: PlanCaller, reply: FastifyReply): Promise<void> {
    const count = (error: RejectedCall['error']) => meter.reject({ principal, error, at: state.startedAt });
    if (principal.tenant.status !== 'active') {
      count('tenant_inactive');
      planHeaders(reply, principal, await planLimiter.peek(...planWindow(principal)));
    }
    requireActive(principal.tenant);
    const window = await planLimiter.hit(...planWindow(principal));
    planHeaders(reply, principal, window);
    if (!window.allowed) count('rate_limit_exceeded');
    requireAllowed(window);
    let admitted = false;
    try {
      admitted = await meter.admit(principal, state.startedAt);
    } finally {
      // A call that the quota rejects, or that finds no database, does not count in the window.
      if (!admitted) planHeaders(reply, principal, await window.refund());
    }
    if (!admitted) {
      count('monthly_quota_exceeded');
      fail('monthly_quota_exceeded', { retryAfterSeconds: secondsUntil(nextMonth(state.startedAt)) });
    }
    state.planCaller = principal;
    state.planHit = window;
  }

  return {
    async admitAddress(
      state: RequestState,
      { name, max, windowSeconds, each, freeIfSuccessful }: AddressLimit,
      params: Readonly<Record<string, string>>,
    ): Promise<void> {
      const { address } = state;
      const network = networkOf(address);
      const windowMs = windowSeconds * 1000;
      const windows: Window[] = [];
      if (address !== UNREADABLE) windows.push([`${name}|${address}`, max, windowMs]);
      if (network !== address) windows.push([`${name}|${network}`, max * ADDRESSES_PER_NETWORK, windowMs]);
      if (each) windows.push([`${name}|${address}|${idOf(params[each.param])}`, each.max, windowMs]);
      const [own, ...others] = windows;
      if (own === undefined) return;
      const hit = await hitAll(limiter, own, ...others);
      requireAllowed(hit);
      if (freeIfSuccessful) state.addressHit = hit;
    },

    async admitConsole({ method }: RequestState, { id }: Tenant): Promise<void> {
      const times = config.planWindowMultiplier;
      const { requests, writes, windowMs } = CONSOLE_LIMITS;
      const all: Window = [`console|${id}`, requests * times, windowMs];
      const written: Window = [`console-writes|${id}`, writes * times, windowMs];
      requireAllowed(await (method === 'GET' ? planLimiter.hit(...all) : hitAll(planLimiter, written, all)));
    },

    /** The key's networks, then as for every caller of a plan. */
    async admitKey(state: RequestState, principal: KeyPrincipal, reply: FastifyReply): Promise<void> {
      if (!principal.isAllowedHere) {
        meter.reject({ principal, error: 'address_not_allowed', at: state.startedAt });
        fail('address_not_allowed', {
          message: `This API key can’t be used from ${addressOf(state.ip) ?? 'an unknown address'}.`,
        });
      }
      await admitCaller(state, principal, reply);
    },

    admitCaller,
  };
}

/** The five headers of every authenticated /v1 response. */
export function planHeaders(reply: FastifyReply, { tenant }: PlanCaller, window: WindowState): void {
  void reply.headers({
    'x-ratelimit-limit': String(window.limit),
    'x-ratelimit-remaining': String(window.remaining),
    'x-ratelimit-reset': String(Math.ceil(window.resetAt / 1000)),
    'x-svc-tenant': tenant.id,
    'x-svc-plan': tenant.plan,
  });
}

/** `whileClosing`: an account that is closing is accepted too. */
export function requireActive(tenant: Tenant, whileClosing = false): void {
  if (tenant.status === 'closing' && whileClosing) return;
  if (tenant.status !== 'active') fail('tenant_inactive', { because: tenant.status });
}

function nextMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
