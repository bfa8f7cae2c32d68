import type { Member } from '@svc/sdk';
import { useContext } from 'react';
import { Badge } from '../../ui/layout/surface';
import { Clock, Time } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { ROLES, textOfMember } from '../nouns/members/roles';
import style from './member-cells.module.css';

interface OfMember {
  readonly of: Member;
}

/** The name, and the e-mail below it. */
export const Name = ({ of: member, isOwn }: OfMember & { readonly isOwn: boolean }) => (
  <div className={style.name}>
    <div className={style.first}>
      <Text of={textOfMember(member)} />
      {isOwn && <Badge>You</Badge>}
    </div>
    {member.name !== null && (
      <small>
        <Text of={member.email} />
      </small>
    )}
  </div>
);

/** The role, and the rights over hours below it. */
export function Role({ of: { role, hours, representative } }: OfMember) {
  const rights = [hours && 'Hours', representative && 'Representative'].filter(Boolean).join(', ');
  return (
    <div className={style.name}>
      {ROLES[role].name}
      {rights && <small>{rights}</small>}
    </div>
  );
}

/** When a member joined, or until when the invitation works. */
export function Joined({ of: { joinedAt, invitationExpiresAt } }: OfMember) {
  const now = useContext(Clock);
  if (invitationExpiresAt === null) return <Time at={joinedAt} />;
  if (Date.parse(invitationExpiresAt) <= now()) return <Badge tone="warn">Invitation ended</Badge>;
  return (
    <div className={style.invited}>
      <Badge>Invited</Badge>
      <small>
        until <Time at={invitationExpiresAt} />
      </small>
    </div>
  );
}
