import { useQuery } from '@tanstack/react-query';
import { Facts, Notice } from '../../ui/layout/surface';
import screen from '../parts/screen/screen.module.css';
import { svc } from '../service';
import { isGoingOn } from './acts';
import { hoursText } from './format';
import { tt } from './texts';
import type { ReadMonth } from './use-month';

/** The sums of the month, which the phone computes by itself with the rules of the sheets. */
export function Sums({ of }: { readonly of: ReadMonth }) {
  const { month, timeZone, rows } = of;
  const sheet = useQuery({
    queryKey: ['sheet', of],
    queryFn: async () => {
      const { sheetOf } = await import('@svc/zk/time/sheet');
      const events = rows.map(({ attendance }) => ({
        ...attendance,
        reason: attendance.reason ?? 'work',
        evidence: attendance.evidence ?? 'asserted',
        voided: attendance.voidedBy !== null,
      }));
      return sheetOf(events, { zone: timeZone, month, rules: 'none', version: 1 });
    },
    gcTime: 0,
  }).data;
  if (rows.length === 0 || sheet === undefined) return null;
  const { totals, days } = sheet;
  const times = new Map(rows.map(({ attendance: { id, occurredAt } }) => [id, occurredAt]));
  const isOpen = (flag: (typeof days)[number]['flags'][number]) => !isGoingOn(flag, times, svc.serverNow());
  const open = days.filter(({ flags }) => flags.some(isOpen)).length;
  return (
    <>
      <Facts
        facts={[
          [tt.month.total, hoursText(totals.minutes)],
          ...(totals.breakMinutes > 0 ? ([[tt.month.breaks, hoursText(totals.breakMinutes)]] as const) : []),
        ]}
      />
      {totals.difference > 0 && <p>{tt.month.asserted(hoursText(totals.difference))}</p>}
      {open > 0 && <Notice tone="warn">{tt.month.flagged(open)}</Notice>}
      <p className={screen.soft}>{tt.month.zone(timeZone)}</p>
    </>
  );
}
