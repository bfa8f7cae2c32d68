import { Text } from '../../ui/lists/value';
import { useClockTexts } from '../language/clock';
import { Tick } from '../views/outcomes/outcome';
import { actOf } from './acts';
import style from './clock.module.css';
import type { Confirmation } from './confirmations';

/** What the last people did. Their places stay empty, so that nothing moves. */
export function Confirmations({
  of,
  time,
}: {
  readonly of: readonly Confirmation[];
  readonly time: (at: string) => string;
}) {
  const { done } = useClockTexts();
  return (
    <div className={style.confirmations} role="status">
      {of.map((punch) => {
        const act = actOf(punch);
        return (
          <div key={punch.attendanceId} className={style.confirmation} data-act={act}>
            <Tick />
            <span className={style.what}>
              <strong>{done[act](time(punch.at))}</strong>
              {punch.name !== undefined && <Text of={punch.name} />}
            </span>
          </div>
        );
      })}
    </div>
  );
}
