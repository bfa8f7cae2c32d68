import { Text } from '../../../ui/lists/value';
import { useMemberNames } from '../../nouns/members/use-members';
import { isErased } from '../../nouns/person/person-name';
import { Name } from '../../nouns/reference';
import { useOperation } from '../../operations/operation';
import { t } from '../language/strings';

/** The name of a person as text. */
export const textOfName = (name: string): string => (isErased(name) ? t.erased : name);

/** The name of a person. */
export const Person = ({ name }: { readonly name: string }) => <Text of={textOfName(name)} />;

/** The name of a person who is known by ID. Each is asked for once. */
export function PersonOf({ id }: { readonly id: string }) {
  const { data } = useOperation('getUser', { path: { userId: id } }, { staleTime: 10 * 60_000 });
  return <Name id={id} name={data && textOfName(data.user.fullName)} />;
}

/** The name of a member. Those who were removed have none any more, and not every reader may list them. */
export function Member({ id }: { readonly id: string }) {
  const names = useMemberNames();
  if (names === undefined) return t.member;
  const name = names.get(id);
  return name === undefined ? t.formerMember : <Text of={name} />;
}
