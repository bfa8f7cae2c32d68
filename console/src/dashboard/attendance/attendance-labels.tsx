import type { Attendance } from '@svc/sdk';
import { LogIn, LogOut } from 'lucide-react';
import { Row, StatusTag } from '../../ui/layout/surface';

export const TYPES = { check_in: 'Check-in', check_out: 'Check-out' } as const;
export const RESULTS = { accepted: 'Accepted', rejected: 'Rejected' } as const;

export function AttendanceType({ of }: { readonly of: Attendance['type'] }) {
  const Icon = of === 'check_in' ? LogIn : LogOut;
  return (
    <Row>
      <Icon size={16} aria-hidden="true" />
      {TYPES[of]}
    </Row>
  );
}

export const AttendanceResult = ({ of }: { readonly of: Attendance['result'] }) => (
  <StatusTag tone={of === 'accepted' ? 'good' : 'bad'}>{RESULTS[of]}</StatusTag>
);
