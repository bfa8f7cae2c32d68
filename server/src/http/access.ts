import { fail } from '../base/errors.js';
import { hasRole } from '../model/roles.js';
import { STEP_UP_MS } from '../model/step-up.js';
import type { ConsolePrincipal } from './principal.js';
import type { ConsoleAccess } from './route.js';

/** Whether the member has confirmed who they are within the last five minutes. */
export const isConfirmed = ({ login }: Pick<ConsolePrincipal, 'login'>, now: number): boolean =>
  now - (login.confirmedAt ?? Number.NEGATIVE_INFINITY) <= STEP_UP_MS;

/**
 * What the member's role allows, and whether they confirmed lately who they are. Programs with a token of the contract need no
 * confirmation, unless the account asks for it.
 */
export function requireAccess(
  principal: ConsolePrincipal,
  access: ConsoleAccess | undefined,
  now: number,
): void {
  if (access === undefined) return;
  const { member, sentAs, tenant } = principal;
  if (!hasRole(member.role, access.role))
    fail('role_insufficient', {
      message: `This needs the role ${access.role}, and yours is ${member.role}.`,
    });
  const asks = sentAs === 'cookie' || tenant.securityPolicy.console_step_up === 'always';
  if (access.stepUp && asks && !isConfirmed(principal, now)) fail('step_up_required');
}
