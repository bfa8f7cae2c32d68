import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ACCOUNT, AUDIT, MEMBERS, svc } from '../api';
import { textOfMember } from './roles';

/** Reloads what shows members: the team, the audit log, and who is logged in. */
export function useMemberReload(): () => Promise<unknown> {
  const queries = useQueryClient();
  return () =>
    Promise.all([MEMBERS, AUDIT, ACCOUNT].map((queryKey) => queries.invalidateQueries({ queryKey })));
}

export const useMembers = () =>
  useQuery({
    queryKey: [...MEMBERS, 'all'],
    queryFn: async ({ signal }) => await svc.console.members.list({ signal }),
    staleTime: 60_000,
  });

/** The names or e-mails of the members by id, or undefined until they are loaded. */
export function useMemberNames(): ReadonlyMap<string, string> | undefined {
  const { data } = useMembers();
  return data && new Map(data.map((member) => [member.id, textOfMember(member)]));
}
