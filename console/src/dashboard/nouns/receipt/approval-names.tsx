import { Text } from '../../../ui/lists/value';
import type { ListedApproval } from '../../operations/api';
import { MemberName } from '../members/member-name';

type Asking = ListedApproval['requestedBy'];

/** Who asked. Null after an approver was erased. */
export const Requester = ({ of }: { readonly of: Asking }) =>
  of?.kind === 'member' ? <MemberName id={of.id} /> : <Text of={of?.name ?? null} />;

const KINDS: Readonly<Record<Exclude<NonNullable<Asking>['kind'], 'member'>, string>> = {
  api_key: 'API key',
  client: 'Application',
};

/** With what it is, unless it is a member. */
export const RequesterWithKind = ({ of }: { readonly of: Asking }) => (
  <>
    <Requester of={of} />
    {of && of.kind !== 'member' && ` (${KINDS[of.kind]})`}
  </>
);

/** The names of approvers by id. */
export const approverNames = ({ approverNames = [] }: ListedApproval): ReadonlyMap<string, string | null> =>
  new Map(approverNames.map(({ userId, userName }) => [userId, userName]));
