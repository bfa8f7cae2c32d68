import type { FoundPerson } from '@svc/sdk';
import { useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Text } from '../../ui/lists/value';
import { type Act, whatOf } from '../clock/acts';
import { useClockTime } from '../clock/time-of-day';
import { useClockTexts } from '../language/clock';
import { useTexts } from '../language/language';
import { useStaffTexts } from '../language/staff';
import { Acts } from '../without-phone/choose-act';
import type { StaffScene } from './scene';
import { Title } from './title';
import type { Ask } from './use-ask';

/** Clocks somebody in or out who stands beside the member. */
export function ClockSomebody({
  person,
  ask,
  setScene,
  home,
}: {
  readonly person: FoundPerson;
  readonly ask: Ask;
  readonly setScene: (scene: StaffScene) => void;
  readonly home: () => void;
}) {
  const { clock: t } = useStaffTexts().work;
  const { done } = useClockTexts();
  const { back } = useTexts();
  const time = useClockTime(undefined);
  const [isBusy, setBusy] = useState(false);
  const declare = async (act: Act) => {
    setBusy(true);
    const declared = await ask((staff) => staff.clock({ userId: person.id, ...whatOf(act) }));
    setBusy(false);
    if (declared) setScene({ at: 'clocked', person, what: done[act](time(declared.occurredAt)) });
  };
  return (
    <>
      <Title>{t.title(<Text of={person.fullName} />)}</Title>
      <Acts hasBreaks busy={isBusy} onChoose={(act) => void declare(act)} />
      <Button busy={isBusy} onClick={home}>
        {back}
      </Button>
    </>
  );
}
