import { Failure, fail } from '../base/errors.js';
import { type Act, type Guard, guardOf } from '../model/acts.js';
import type { Environment } from '../model/environment.js';
import { hasRole, mayUseTest, type Need } from '../model/roles.js';
import type { ApiScope } from '../model/scopes.js';
import { STEP_UP_MS } from '../model/step-up.js';
import type { ConsolePrincipal, DevicePrincipal, KeyPrincipal, Member, StaffPrincipal } from './principal.js';
import { callerOf, type RequestState } from './request-state.js';
import { type CausedAct, type ConsoleAccess, type Route, takesEnvironment } from './route.js';

/** Whether the member has confirmed who they are within the last five minutes. */
export const isConfirmed = ({ login }: Pick<ConsolePrincipal, 'login'>, now: number): boolean =>
  now - (login.confirmedAt ?? Number.NEGATIVE_INFINITY) <= STEP_UP_MS;

export function requireRole(
  { member }: { readonly member: Pick<Member, 'role'> },
  role: Need | undefined,
): void {
  if (role !== undefined && !hasRole(member.role, role))
    fail('role_insufficient', { message: `This needs the role ${role}, and yours is ${member.role}.` });
}

/** Rights over working time are given one by one, whatever the role. */
export function requireRight(
  { member }: { readonly member: Pick<Member, 'hours' | 'representative' | 'role'> },
  right: ConsoleAccess['right'],
): void {
  if (right === undefined || member.hours || (right === 'sheets' && member.representative)) return;
  if (right === 'inspections' && member.role === 'owner') return;
  fail('role_insufficient', {
    message: `This needs the right ${right === 'sheets' ? 'hours or representative' : 'hours'}, which an owner gives.`,
  });
}

/** The environment is judged by what was sent, before anything else of the query is. */
export function requireEnvironment(
  { member }: Pick<ConsolePrincipal, 'member'>,
  route: Pick<Route, 'auth' | 'schemas'>,
  query: unknown,
): void {
  if (mayUseTest(member.role) || !takesEnvironment(route)) return;
  const { environment } = Object(query) as { environment?: unknown };
  if (environment !== undefined && environment !== 'live')
    fail('role_insufficient', { message: `The role ${member.role} is for the environment live.` });
}

export function requireScope({ scopes }: Pick<KeyPrincipal, 'scopes'>, scope: ApiScope): void {
  if (!scopes.includes(scope))
    fail('insufficient_scopes', { message: `This endpoint needs the scope ${scope}.` });
}

/** What a phone sends instead of an API key is an account in its body, and a proof, which the handler checks. */
export function requireAccount(body: unknown): void {
  const named = Object(body) as object;
  if (!('tenantId' in named || 'environment' in named))
    fail('missing_api_key', {
      message:
        'Send an API key in Authorization: Bearer … or X-API-Key or, from a phone, tenantId and environment in the body.',
    });
}

/** Who may be judged: of a rule that is called with a credential. */
export type Actor = KeyPrincipal | ConsolePrincipal | DevicePrincipal | StaffPrincipal;

/** Programs with a token of the contract need no confirmation, unless the account asks for it. */
const mustConfirm = ({ use, tenant }: ConsolePrincipal): boolean =>
  use !== 'bearer' || tenant.securityPolicy.console_step_up === 'always';

/** The one place that judges whether a caller may do a guarded act. */
export function requireAct(act: Act, caller: Actor, environment: Environment, now: number): void {
  const guard = guardOf(act);
  if ('device' in caller)
    fail('insufficient_scopes', { message: 'The session of a device may not do this.' });
  if ('desk' in caller) {
    // They have shown who they are minutes ago, at this desk.
    requireRole({ member: { role: 'reception' } }, guard.role);
    requireRole(caller, guard.role);
    if (guard.onlyTest && environment !== 'test') fail('api_key_required');
    return;
  }
  if ('keyId' in caller) {
    const { scope } = guard;
    if (scope === null || !caller.scopes.includes(scope))
      fail('insufficient_scopes', {
        message:
          scope === null ? 'No API key may do this.' : `This also needs the scope ${scope}: ${guard.does}.`,
      });
    return;
  }
  requireRole(caller, guard.role);
  if (guard.onlyTest && environment !== 'test') fail('api_key_required');
  if (mustConfirm(caller) && !isConfirmed(caller, now)) fail('step_up_required');
}

/** Somebody who may do no more than reception may. What they write waits for a member who may do more. */
export const isReception = (caller: Actor): boolean =>
  'desk' in caller || ('member' in caller && !hasRole(caller.member.role, 'developer'));

/** Whether `requireAct` lets the caller do it. */
export function mayAct(...asked: Parameters<typeof requireAct>): boolean {
  try {
    requireAct(...asked);
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

const actOf = (caused: CausedAct): Act => (typeof caused === 'string' ? caused : caused.act);

/** The acts of a route that are judged, not those that a proof allows. */
export const actsOf = ({ acts = [] }: Pick<Route, 'acts'>): { readonly act: Act; readonly guard: Guard }[] =>
  acts
    .filter((caused: CausedAct) => typeof caused === 'string' || !('by' in caused) || caused.by === 'record')
    .map((caused: CausedAct) => ({ act: actOf(caused), guard: guardOf(actOf(caused)) }));

/**
 * Judges the acts that each request of a route causes or, if there is a body, those that this body causes. Rules judge those that depend on
 * a record.
 */
export function requireActs(
  { acts }: Pick<Route, 'acts'>,
  state: RequestState,
  query: unknown,
  body?: unknown,
): void {
  const caller =
    state.keyPrincipal ?? state.consolePrincipal ?? state.devicePrincipal ?? state.staffPrincipal;
  if (acts === undefined || caller === undefined) return;
  const isCaused = (caused: CausedAct): boolean =>
    typeof caused === 'string' ? body === undefined : 'if' in caused && body !== undefined && caused.if(body);
  const environment = callerOf(state, (query ?? {}) as Record<string, unknown>)?.scope.environment ?? 'live';
  for (const caused of acts)
    if (isCaused(caused)) requireAct(actOf(caused), caller, environment, state.startedAt);
}
