import type { User } from '@svc/sdk';
import { StatusTag } from '../../ui/layout/surface';

export const STATUS = { active: 'Active', inactive: 'Inactive' } as const;

/** Erased people are inactive too. */
export const UserStatus = ({
  of: { status, erasedAt },
}: {
  readonly of: Pick<User, 'status' | 'erasedAt'>;
}) => (
  <StatusTag tone={status === 'active' ? 'good' : 'plain'}>
    {erasedAt === null ? STATUS[status] : 'Erased'}
  </StatusTag>
);
