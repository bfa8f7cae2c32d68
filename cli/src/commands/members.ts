import type { Member, Svc } from '@svc/sdk';
import { Argument, Option } from 'commander';
import type { Action, Commands } from '../command.js';
import { Failure } from '../failure.js';
import { consoleClientOf, withServer } from '../settings.js';
import { plain, table } from '../terminal.js';

const ROLES = ['auditor', 'reception', 'developer', 'owner'] as const;
type Role = (typeof ROLES)[number];

const MEMBER = ['<member>', 'the id or e-mail of the member'] as const;

export function membersCommands(commands: Commands): void {
  const members = commands.group(
    'members',
    'the people who log in to an account (SVC_CONSOLE_TOKEN, or SVC_EMAIL and SVC_PASSWORD of an owner)',
  );
  withServer(members.command('list', 'list the members and open invitations, oldest first', list));
  withServer(members.command('invite', 'invite somebody, and print the link, which works once', invite))
    .argument('<email>', 'the e-mail with which they will log in')
    .addOption(new Option('--role <role>', 'what they may do').choices(ROLES).makeOptionMandatory());
  withServer(members.command('role', 'change the role of a member, which applies immediately', changeRole))
    .argument(...MEMBER)
    .addArgument(new Argument('<role>', 'the new role').choices(ROLES));
  withServer(
    members.command('remove', 'remove a member, whose log-ins end, or withdraw an invitation', remove),
  ).argument(...MEMBER);
}

const list: Action = async (run, _, options) => {
  const members = await (await consoleClientOf(run, options)).console.members.list();
  const rows = members.map((member) => [
    member.id,
    member.role,
    statusOf(member),
    plain(member.email),
    plain(member.name ?? '-'),
  ]);
  run.show({ members }, table([['ID', 'ROLE', 'STATUS', 'E-MAIL', 'NAME'], ...rows]));
};

const statusOf = ({ status, invitationExpiresAt }: Member) =>
  invitationExpiresAt === null ? status : `${status} until ${invitationExpiresAt}`;

/** Whether the service mails the link. Nothing if it never sends mail. */
const MAILED: Readonly<Record<string, string>> = {
  sent: '\nThe service sends it by e-mail as well.',
  unconfirmed:
    '\nThe service does not mail it, because your own e-mail is not confirmed: use “Forgot password?” of the dashboard once.',
  limited: '\nThe service does not mail it: the account sent 20 invitations in the last hour.',
};

const invite: Action = async (run, [email], options) => {
  const { members } = (await consoleClientOf(run, options)).console;
  const result = await members.invite({ email: String(email), role: options.role as Role });
  const { member, invitation } = result;
  run.show(
    result,
    `${describe(member)}\nLink, returned only once: ${plain(invitation.link)}\nIt works once, until ${invitation.expiresAt}. Send it to nobody else.${MAILED[invitation.mail] ?? ''}`,
  );
};

const changeRole: Action = async (run, [name, role], options) => {
  const { members } = (await consoleClientOf(run, options)).console;
  const member = await members.update(await findId(members, String(name)), { role: role as Role });
  run.show({ member }, `${describe(member)}.`);
};

const remove: Action = async (run, [name], options) => {
  const { members } = (await consoleClientOf(run, options)).console;
  const member = await members.remove(await findId(members, String(name)));
  const done = member.status === 'invited' ? 'The invitation is withdrawn' : 'Removed, and logged out';
  run.show({ member }, `${describe(member)}. ${done}.`);
};

const describe = ({ id, email, role }: Member) => `${plain(email)} (${id}): ${role}`;

/** The id of the member with this e-mail. An id is returned as it is. */
async function findId(members: Svc['console']['members'], name: string): Promise<string> {
  if (!name.includes('@')) return name;
  const found = (await members.list()).find(({ email }) => email === name.trim().toLowerCase());
  if (found !== undefined) return found.id;
  throw new Failure(
    'refused',
    `Nobody with the e-mail ${plain(name)} is a member or invited. \`svc members list\` lists them.`,
  );
}
