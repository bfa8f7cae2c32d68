import type { Correction } from '@svc/sdk/time';
import { Button } from '../../ui/forms/button';
import { Row } from '../../ui/layout/stack';
import { Facts, Notice } from '../../ui/layout/surface';
import screen from '../parts/screen/screen.module.css';
import { useHasBeenVisible } from '../parts/use-visible';
import type { Done } from './acts';
import { rowText } from './format';
import { tt } from './texts';
import style from './time.module.css';
import type { MonthAct, ReadMonth } from './use-month';

/** Corrections that wait: all that each changes, and the person's answer if it is theirs to give. */
export function Corrections({
  of: { corrections, unreadable, timeZone },
  busy,
  onAct,
}: {
  readonly of: ReadMonth;
  readonly busy: boolean;
  readonly onAct: (act: MonthAct) => void;
}) {
  const isReady = useHasBeenVisible();
  const waiting = corrections.filter(({ state }) => state === 'proposed');
  if (waiting.length === 0 && unreadable === 0) return null;
  return (
    <section className={style.part}>
      <h2>{tt.corrections.title}</h2>
      {unreadable > 0 && <Notice tone="bad">{tt.corrections.unreadable(unreadable)}</Notice>}
      {waiting.map((correction) => (
        <article key={correction.id} className={style.correction}>
          <p>{correction.proposedBy === 'member' ? tt.corrections.proposed : tt.corrections.yours}</p>
          <Changes of={correction} timeZone={timeZone} />
          {correction.proposedBy === 'member' && (
            <Row>
              <Button
                look="danger"
                busy={busy || !isReady}
                onClick={() => onAct({ kind: 'decide', correction, decision: 'contest' })}
              >
                {tt.corrections.contest}
              </Button>
              <Button
                look="primary"
                busy={busy || !isReady}
                onClick={() => onAct({ kind: 'decide', correction, decision: 'agree' })}
              >
                {tt.corrections.agree}
              </Button>
            </Row>
          )}
        </article>
      ))}
    </section>
  );
}

const Changes = ({
  of: { cause, note, changes },
  timeZone,
}: {
  readonly of: Correction;
  readonly timeZone: string;
}) => (
  <>
    <p className={screen.soft}>{tt.corrections.causes[cause]}</p>
    {changes.map(({ old, new: next }, at) => (
      <Facts
        // biome-ignore lint/suspicious/noArrayIndexKey: two changes may be equal, and their order never changes
        key={at}
        facts={[
          [tt.corrections.old, timeText(old, timeZone)],
          [tt.corrections.new, timeText(next, timeZone)],
        ]}
      />
    ))}
    {note !== null && (
      <p className={style.note} dir="auto" translate="no">
        {tt.corrections.note}: {note}
      </p>
    )}
  </>
);

const timeText = (time: Done | null, timeZone: string): string =>
  time === null ? tt.corrections.nothing : rowText(time, timeZone);
