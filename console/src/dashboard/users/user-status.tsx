import type { User } from '@svc/sdk';
import { Badge } from '../../ui/layout/surface';

export const STATUS = { active: 'Active', inactive: 'Inactive' } as const;

export const UserStatus = ({ of }: { readonly of: User['status'] }) => (
  <Badge tone={of === 'active' ? 'good' : 'plain'}>{STATUS[of]}</Badge>
);
