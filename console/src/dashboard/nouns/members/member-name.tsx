import { Text } from '../../../ui/lists/value';
import { useMemberNames } from './use-members';

/** Members who were removed have no name any more. */
export function MemberName({ id }: { readonly id: string }) {
  const names = useMemberNames();
  if (names === undefined) return 'member';
  const name = names.get(id);
  return name === undefined ? 'A former member' : <Text of={name} />;
}
