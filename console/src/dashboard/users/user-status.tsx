import type { User } from '@svc/sdk';
import { StatusTag } from '../../ui/layout/surface';

export const STATUS = { active: 'Active', inactive: 'Inactive' } as const;

export const UserStatus = ({ of }: { readonly of: User['status'] }) => (
  <StatusTag tone={of === 'active' ? 'good' : 'plain'}>{STATUS[of]}</StatusTag>
);
