import { console, open, route } from '../../../http/route.js';
import { CONSOLE_TOKEN_SECONDS } from '../logins/logins.auth.js';
import { setOwnSession } from '../logins/session-cookie.js';
import { RegistrationOptionsReply } from '../passkeys/passkeys.schema.js';
import { join, joinOptions } from './joining.js';
import { changeMember, invite, removeMember, serializeMember } from './members.js';
import * as schema from './members.schema.js';
import { listMembers } from './members.store.js';

const byOwner = console({ role: 'owner' });

export const membersConsole = [
  route({
    operationId: 'consoleListMembers',
    method: 'GET',
    path: '/api/console/members',
    summary: 'List the members of the account and its open invitations, oldest first',
    auth: console({ role: 'auditor' }),
    replies: { 200: schema.MemberList },
    handler: async ({ read }) => ({ members: (await listMembers(read)).map(serializeMember) }),
  }),
  route({
    operationId: 'consoleInviteMember',
    method: 'POST',
    path: '/api/console/members',
    summary: 'Invite somebody to the account, by a link that works once in seven days',
    description:
      'The link stops working when who invited is no longer an owner. Inviting the same e-mail again replaces the invitation. If the service sends mail, and who invites has used a link that was mailed to them (such as that of a forgotten password), it mails the link: `mail` says whether it does. The response does not tell whether the e-mail has another account: only accepting fails then.',
    auth: byOwner,
    acts: ['change_members'],
    schemas: { body: schema.InviteBody },
    replies: { 201: schema.InviteReply },
    errors: ['member_limit_reached'],
    secret: true,
    handler: (context) => invite(context, context.body),
  }),
  route({
    operationId: 'consoleUpdateMember',
    method: 'PATCH',
    path: '/api/console/members/:memberId',
    summary: 'Change the role or the name of a member',
    description: 'A role applies immediately, also to requests that are running.',
    auth: byOwner,
    acts: ['change_members'],
    schemas: { params: { memberId: 'member_not_found' }, body: schema.ChangeMemberBody },
    replies: { 200: schema.MemberReply },
    errors: ['last_owner'],
    handler: async (context) => ({
      member: await changeMember(context, context.params.memberId, context.body),
    }),
  }),
  route({
    operationId: 'consoleRemoveMember',
    method: 'DELETE',
    path: '/api/console/members/:memberId',
    summary: 'Remove a member, whose log-ins end immediately, or withdraw an invitation',
    description: 'Their e-mail, name and password are deleted. The audit log keeps their id.',
    auth: byOwner,
    acts: ['change_members'],
    schemas: { params: { memberId: 'member_not_found' } },
    replies: { 200: schema.MemberReply },
    errors: ['last_owner'],
    handler: async (context) => ({ member: await removeMember(context, context.params.memberId) }),
  }),
  route({
    operationId: 'consoleStartJoining',
    method: 'POST',
    path: '/api/console/invitations/options',
    summary: 'Get what a browser needs to make a passkey for somebody who is invited',
    description:
      'For `navigator.credentials.create`, after `PublicKeyCredential.parseCreationOptionsFromJSON`. The challenge can be answered once, for five minutes.',
    auth: open,
    limit: { name: 'passkey', max: 60, windowSeconds: 900 },
    schemas: { body: schema.JoinOptionsBody },
    replies: { 200: RegistrationOptionsReply },
    errors: ['invitation_not_found'],
    noStore: true,
    handler: async (context) => ({ options: await joinOptions(context, context.body.token) }),
  }),
  route({
    operationId: 'consoleAcceptInvitation',
    method: 'POST',
    path: '/api/console/invitations/accept',
    summary: 'Join an account by an invitation, and log in',
    description:
      'With a password, or with a passkey and the options of `POST /api/console/invitations/options`. A page of the service gets the session cookie as well.',
    auth: open,
    limit: { name: 'signup', max: 10, windowSeconds: 900 },
    schemas: { body: schema.JoinBody },
    replies: { 201: schema.JoinReply },
    errors: ['invitation_not_found', 'weak_password', 'email_already_registered'],
    secret: true,
    async handler(context) {
      const joined = await join(context, context.body);
      setOwnSession(context, joined.token, CONSOLE_TOKEN_SECONDS);
      return joined;
    },
  }),
];
