import type { FoundPerson } from '@svc/sdk';
import { Button } from '../../ui/forms/button';
import { Text } from '../../ui/lists/value';
import { useTexts } from '../language/language';
import { Outcome, Tick } from '../views/outcomes/outcome';

/** What was recorded for somebody. */
export function Clocked({
  person,
  what,
  onDone,
}: {
  readonly person: FoundPerson;
  readonly what: string;
  readonly onDone: () => void;
}) {
  const { toStart } = useTexts();
  return (
    <Outcome tone="good" icon={<Tick />} title={what} text={<Text of={person.fullName} />}>
      <Button look="primary" onClick={onDone}>
        {toStart}
      </Button>
    </Outcome>
  );
}
