import type { Attendance } from '@svc/sdk';
import { LogIn, LogOut } from 'lucide-react';
import { Row } from '../../ui/layout/stack';
import { StatusTag } from '../../ui/layout/surface';

export const TYPES = { check_in: 'Check-in', check_out: 'Check-out' } as const;
export const RESULTS = { accepted: 'Accepted', rejected: 'Rejected' } as const;

/** The type, and that it was rejected. */
export function AttendanceType({
  of: { type, result },
}: {
  readonly of: Pick<Attendance, 'type' | 'result'>;
}) {
  const Icon = type === 'check_in' ? LogIn : LogOut;
  return (
    <Row>
      <Icon size={16} aria-hidden="true" />
      {TYPES[type]}
      {result === 'rejected' && <AttendanceResult of={result} />}
    </Row>
  );
}

export const AttendanceResult = ({ of }: { readonly of: Attendance['result'] }) => (
  <StatusTag tone={of === 'accepted' ? 'good' : 'bad'}>{RESULTS[of]}</StatusTag>
);
