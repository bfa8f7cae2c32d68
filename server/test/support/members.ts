import type { Role } from '../../src/model/roles.js';
import { type Account, type CallOptions, freshAddress, type Service } from './service.js';

export interface MemberAccount {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  /** Console token. */
  readonly token: string;
}

let members = 0;
export const freshEmail = (): string => `member-${members++}-${crypto.randomUUID().slice(0, 8)}@example.com`;

/** Invites somebody. Returns what the link contains. */
export async function invite(
  service: Service,
  { token: as }: Pick<Account, 'token'>,
  role: Role,
  email = freshEmail(),
): Promise<{ readonly id: string; readonly email: string; readonly token: string }> {
  const reply = await service.call('POST', '/api/console/members', { as, body: { email, role } });
  if (reply.status !== 201) throw new Error(`inviting returned ${reply.status} ${reply.text}`);
  const { member, invitation } = reply.body;
  return { id: member.id, email, token: new URL(invitation.link).hash.slice(1) };
}

export const accept = (
  service: Service,
  token: string,
  more: Partial<CallOptions> & { body?: object } = {},
) =>
  service.call('POST', '/api/console/invitations/accept', {
    address: freshAddress(),
    ...more,
    body: { token, name: 'Grace Hopper', password: 'correct horse 42 battery', ...more.body },
  });

/** A new member of the account, who is logged in. */
export async function addMember(
  service: Service,
  account: Pick<Account, 'token'>,
  role: Role,
  email = freshEmail(),
): Promise<MemberAccount> {
  const invitation = await invite(service, account, role, email);
  const { status, body, text } = await accept(service, invitation.token);
  if (status !== 201) throw new Error(`accepting returned ${status} ${text}`);
  return { id: body.member.id, email, password: 'correct horse 42 battery', token: body.token };
}

/** Gives members the right over hours, which no role has. */
export async function giveHours(
  service: Service,
  { token: as, tenantId }: Pick<Account, 'token' | 'tenantId'>,
  ids: readonly string[] = [],
): Promise<void> {
  for (const id of [tenantId, ...ids])
    await service.call('PATCH', `/api/console/members/${id}`, { as, body: { hours: true } });
}

/** The same member with a new log-in. */
export async function logInAgain<M extends Pick<MemberAccount, 'email' | 'password' | 'token'>>(
  service: Service,
  member: M,
): Promise<M> {
  const body = { email: member.email, password: member.password };
  const reply = await service.call('POST', '/api/console/login', { body, address: freshAddress() });
  return { ...member, token: reply.body.token };
}
