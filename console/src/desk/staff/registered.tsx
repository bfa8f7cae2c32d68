import { Clock3 } from 'lucide-react';
import { useContext } from 'react';
import { Button } from '../../ui/forms/button';
import { Text } from '../../ui/lists/value';
import { serverNow } from '../../ui/server-time';
import { WordsContext } from '../../ui/words';
import { useTexts } from '../language/language';
import { useStaffTexts } from '../language/staff';
import { Outcome, Tick } from '../views/outcomes/outcome';
import { dayAndTime } from './day-and-time';
import type { StaffScene } from './scene';

/** The phone is registered, or it waits for its cool-down and for an owner. */
export function Registered({
  scene: { name, waits, worksAt },
  onDone,
}: {
  readonly scene: StaffScene & { at: 'registered' };
  readonly onDone: () => void;
}) {
  const { registered: t } = useStaffTexts().work;
  const { toStart } = useTexts();
  const { locale } = useContext(WordsContext);
  const person = <Text of={name} />;
  const isLater = worksAt !== undefined && Date.parse(worksAt) > serverNow();
  const whenItWorks = isLater
    ? t.worksFrom(<time dateTime={worksAt}>{dayAndTime(Date.parse(worksAt), serverNow(), locale)}</time>)
    : t.worksOnceConfirmed;
  return (
    <Outcome
      tone={waits ? 'calm' : 'good'}
      icon={waits ? <Clock3 strokeWidth={1.75} /> : <Tick />}
      title={waits ? t.waits(person) : t.title(person)}
      text={waits ? whenItWorks : t.about}
    >
      <Button look="primary" onClick={onDone}>
        {toStart}
      </Button>
    </Outcome>
  );
}
