import { fail } from '../../../base/errors.js';
import type { BaseContext } from '../../../http/route.js';
import type { TenantWrite } from '../../../ledger/write.js';
import { startLogin } from '../logins/logins.js';
import { requireStrong } from '../logins/strong-password.js';
import { acceptInvitation, isTaken, memberName, requireInvitation, serializeMember } from './members.js';

type JoinContext = Pick<BaseContext, 'deps' | 'writeIn' | 'address' | 'node'>;

/** Joins the account of an invitation with a password. Returns a token of the new member. */
export async function join(
  context: JoinContext,
  input: { readonly token: string; readonly name: string; readonly password: string },
) {
  const { deps } = context;
  const invitation = await requireInvitation(deps, input.token);
  const name = memberName(input.name, 'name');
  requireStrong(input.password, invitation.email, invitation.company_name, 'password');
  const passwordHash = await deps.passwords.hash(input.password);
  return enter(context, invitation, input.token, { name, passwordHash });
}

/** Makes the invited a member, logged in. `also` adds to the same write, for example a passkey. */
export async function enter(
  { deps, writeIn, ...rest }: JoinContext,
  { id, tenant_id: tenantId }: { readonly id: string; readonly tenant_id: string },
  token: string,
  joining: { readonly name: string; readonly passwordHash: string | null },
  also?: (w: TenantWrite) => Promise<void>,
) {
  try {
    return await writeIn(
      { tenantId, environment: 'live' },
      { type: 'member', id },
      'member.joined',
      async (w) => {
        const row = await acceptInvitation(w, token, joining, deps.clock.now());
        await also?.(w);
        const login = await startLogin(w, { deps, ...rest }, { memberId: id, version: 0 });
        return { token: login, member: serializeMember(row) };
      },
      'tenant',
    );
  } catch (error) {
    if (isTaken(error)) fail('email_already_registered');
    throw error;
  }
}
