import type { Operations } from '@svc/sdk';
import { Text } from '../../ui/lists/value';
import { useMemberNames } from '../team/use-members';

export type ListedEntry = Operations['consoleListAuditEvents']['reply']['audit'][number];
type Acted = Pick<ListedEntry, 'actorType' | 'actorId'>;

/** Who did what an entry is about: the name of a member, or what kind of actor it was. */
export const Actor = ({ of }: { readonly of: Acted }) =>
  of.actorType === 'member' && of.actorId !== null ? (
    <MemberName id={of.actorId} />
  ) : (
    of.actorType.replaceAll('_', ' ')
  );

/** Members who were removed have no name any more. */
export function MemberName({ id }: { readonly id: string }) {
  const names = useMemberNames();
  if (names === undefined) return 'member';
  const name = names.get(id);
  return name === undefined ? 'A former member' : <Text of={name} />;
}
