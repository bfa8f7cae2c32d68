import { useOperation } from '../../operations/operation';
import { useCan } from './needs';
import { textOfMember } from './roles';

/** Nothing for reception, which may not list them. */
export const useMembers = () =>
  useOperation(
    'consoleListMembers',
    {},
    { staleTime: 60_000, enabled: useCan('auditor'), select: ({ members }) => members },
  );

/** The names or e-mails of the members by id, or undefined until they are loaded. */
export function useMemberNames(): ReadonlyMap<string, string> | undefined {
  const { data } = useMembers();
  return data && new Map(data.map((member) => [member.id, textOfMember(member)]));
}
