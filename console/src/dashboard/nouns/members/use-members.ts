import { useOperation } from '../../operations/operation';
import { textOfMember } from './roles';

export const useMembers = () =>
  useOperation('consoleListMembers', {}, { staleTime: 60_000, select: ({ members }) => members });

/** The names or e-mails of the members by id, or undefined until they are loaded. */
export function useMemberNames(): ReadonlyMap<string, string> | undefined {
  const { data } = useMembers();
  return data && new Map(data.map((member) => [member.id, textOfMember(member)]));
}
