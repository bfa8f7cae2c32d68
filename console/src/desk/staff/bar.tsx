import type { SvcStaff } from '@svc/sdk';
import { Button } from '../../ui/forms/button';
import { Countdown, useCountdown } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { useStaffTexts } from '../language/staff';
import style from './staff.module.css';

/** Who works at the desk, for how long, and how they end it. */
export function StaffBar({
  staff: { member, endsAt },
  onEnd,
}: {
  readonly staff: SvcStaff;
  readonly onEnd: () => void;
}) {
  const { work: t } = useStaffTexts();
  const until = new Date(endsAt).toISOString();
  const isOver = useCountdown(until) === 0;
  return (
    <div className={style.bar}>
      <p>
        {member.name === null ? null : t.here(<Text of={member.name} />)}{' '}
        <span className={style.left}>{isOver ? t.timeOver : t.leftover(<Countdown until={until} />)}</span>
      </p>
      <Button onClick={onEnd}>{t.end}</Button>
    </div>
  );
}
