import { useQuery } from '@tanstack/react-query';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { Reference } from '../records/reference';

/** A person by name, as a link, where the record only has the ID. */
export function PersonReference({ id }: { readonly id: string }) {
  const environment = useEnvironment();
  const { data = null } = useQuery({
    queryKey: ['users', environment, 'name', id],
    queryFn: async ({ signal }) => {
      const request = { path: { userId: id }, query: { environment } };
      return (await svc.request('getUser', request, { signal })).user.fullName;
    },
  });
  return <Reference to="users" id={id} name={data} />;
}
