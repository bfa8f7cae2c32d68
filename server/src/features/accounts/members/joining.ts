import type { Static } from 'typebox';
import { fail } from '../../../base/errors.js';
import type { BaseContext } from '../../../http/route.js';
import type { TenantWrite } from '../../../ledger/write.js';
import { startLogin } from '../logins/logins.js';
import { useOf } from '../logins/session-cookie.js';
import { requireStrong } from '../logins/strong-password.js';
import { registrationOptions } from '../passkeys/options.js';
import { addPasskey, refuseTaken, requireNewPasskey } from '../passkeys/registering.js';
import { acceptInvitation, isTaken, memberName, requireInvitation, serializeMember } from './members.js';
import type { JoinBody } from './members.schema.js';
import type { Invitation } from './members.store.js';

type JoinContext = Pick<BaseContext, 'deps' | 'writeIn' | 'address' | 'node' | 'isFromOwnPage'>;

const subjectOf = ({ id, tenant_id: tenantId }: Invitation) => ({ tenantId, memberId: id });

/** What a browser needs to make the first passkey of somebody who is invited. */
export async function joinOptions({ deps }: Pick<JoinContext, 'deps'>, token: string) {
  const invitation = await requireInvitation(deps, token);
  const named = { email: invitation.email, name: null, has: [] };
  return registrationOptions(deps, 'join', subjectOf(invitation), named);
}

/** Joins the account of an invitation with a password or a passkey. Returns a token of the new member. */
export async function join(context: JoinContext, input: Static<typeof JoinBody>) {
  const { deps } = context;
  const { token, credential, password = '' } = input;
  const invitation = await requireInvitation(deps, token);
  const name = memberName(input.name, 'name');
  if (credential) {
    const of = { purpose: 'join', subject: subjectOf(invitation) } as const;
    const passkey = await requireNewPasskey(deps, of, { credential });
    const add = async (w: TenantWrite) => void (await addPasskey(w, passkey));
    return refuseTaken(enter(context, invitation, token, { name, passwordHash: null }, add));
  }
  requireStrong(password, invitation.email, invitation.company_name, 'password');
  const passwordHash = await deps.passwords.hash(password);
  return enter(context, invitation, token, { name, passwordHash });
}

/** Makes the invited a member, logged in. `also` adds to the same write, for example a passkey. */
async function enter(
  { deps, writeIn, ...rest }: JoinContext,
  { id, tenant_id: tenantId }: Pick<Invitation, 'id' | 'tenant_id'>,
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
        const login = await startLogin(w, { deps, ...rest }, { memberId: id, version: 0, use: useOf(rest) });
        return { token: login, member: serializeMember(row) };
      },
      'tenant',
    );
  } catch (error) {
    if (isTaken(error)) fail('email_already_registered');
    throw error;
  }
}
