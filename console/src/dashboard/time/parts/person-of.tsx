import { Name } from '../../nouns/reference';
import { useOperation } from '../../operations/operation';

/** The name of a person who is known by ID. Each is asked for once. */
export function PersonOf({ id }: { readonly id: string }) {
  const { data } = useOperation('getUser', { path: { userId: id } }, { staleTime: 10 * 60_000 });
  return <Name id={id} name={data?.user.fullName} />;
}
