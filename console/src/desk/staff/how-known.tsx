import { useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Text } from '../../ui/lists/value';
import { useTexts } from '../language/language';
import { useStaffTexts } from '../language/staff';
import { Choice, Choices } from './choices';
import { type How, nameOf, type Registrant } from './scene';
import { Title } from './title';

const HOW = ['known', 'document_seen', 'list'] as const satisfies readonly How[];

/** Asks how the member knows whose name it is, which confirms it. */
export function HowKnown({
  registrant,
  onChoose,
  onBack,
}: {
  readonly registrant: Registrant;
  readonly onChoose: (how: How) => Promise<void>;
  readonly onBack: () => void;
}) {
  const { how: t } = useStaffTexts().work;
  const { back } = useTexts();
  const [isBusy, setBusy] = useState(false);
  const choose = async (how: How) => {
    setBusy(true);
    await onChoose(how);
    setBusy(false);
  };
  return (
    <>
      <Title>{t.title(<Text of={nameOf(registrant)} />)}</Title>
      <p>{'found' in registrant && registrant.found.phones.length > 0 ? t.replaces : t.about}</p>
      <Choices>
        {HOW.map((how) => (
          <Choice key={how} name={t[how]} busy={isBusy} onChoose={() => void choose(how)} />
        ))}
      </Choices>
      <Button busy={isBusy} onClick={onBack}>
        {back}
      </Button>
    </>
  );
}
