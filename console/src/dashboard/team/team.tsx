import type { Member } from '@svc/sdk';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { Menu } from '../../ui/forms/menu';
import { textOfMember } from '../nouns/members/roles';
import { useAllSites } from '../nouns/sites/use-sites';
import { useAccount } from '../operations/account';
import { pages } from '../operations/operation';
import { type ListColumn, listOf } from '../records/lists/list-of';
import { ChangeRights } from './change-rights';
import { ChangeRole } from './change-role';
import { Invite, InviteAgain } from './invite';
import { Joined, Name, Role } from './member-cells';
import { RemoveMember } from './remove-member';
import { RenameMember } from './rename-member';

const DIALOGS = {
  rename: RenameMember,
  role: ChangeRole,
  rights: ChangeRights,
  again: InviteAgain,
  remove: RemoveMember,
} as const;
interface Chosen {
  readonly action: keyof typeof DIALOGS;
  readonly member: Member;
}

/** The members of the account and its open invitations. */
export const Team = listOf({
  title: 'Team',
  name: 'Members',
  read: () => pages('consoleListMembers', {}),
  useParts: () => {
    const [chosen, choose] = useState<Chosen>();
    const ownId = useAccount().data?.member.id;
    const ChosenDialog = chosen && DIALOGS[chosen.action];
    const hasSites = useAllSites().length > 0;
    return {
      columns: columns(ownId, hasSites, choose),
      dialog: ChosenDialog && (
        <ChosenDialog
          member={chosen.member}
          isOwn={chosen.member.id === ownId}
          onClose={() => choose(undefined)}
        />
      ),
    };
  },
  add: { name: 'Invite', icon: UserPlus, role: 'owner', Dialog: Invite },
  empty: {
    title: 'No members',
    text: 'Members log in to this dashboard with their own e-mail and password.',
  },
});

const columns = (
  ownId: string | undefined,
  hasSites: boolean,
  choose: (chosen: Chosen) => void,
): readonly ListColumn<Member>[] => [
  { name: 'Name', cell: (member) => <Name of={member} isOwn={member.id === ownId} /> },
  { name: 'Role', short: true, narrow: 'state', cell: (member) => <Role of={member} /> },
  { name: 'Joined', short: true, narrow: 'fact', cell: (member) => <Joined of={member} /> },
  {
    name: 'Actions',
    short: true,
    role: 'owner',
    narrow: 'actions',
    cell: (member) => (
      <Menu label={`Actions for ${textOfMember(member)}`} items={actionsFor(member, hasSites, choose)} />
    ),
  },
];

const actionsFor = (member: Member, hasSites: boolean, choose: (chosen: Chosen) => void) =>
  member.status === 'invited'
    ? [
        { name: 'New link', onSelect: () => choose({ action: 'again', member }) },
        {
          name: 'Withdraw the invitation',
          danger: true,
          onSelect: () => choose({ action: 'remove', member }),
        },
      ]
    : [
        { name: 'Change the name', onSelect: () => choose({ action: 'rename', member }) },
        { name: 'Change the role', onSelect: () => choose({ action: 'role', member }) },
        ...(hasSites
          ? [{ name: 'Rights over hours', onSelect: () => choose({ action: 'rights' as const, member }) }]
          : []),
        { name: 'Remove', danger: true, onSelect: () => choose({ action: 'remove', member }) },
      ];
