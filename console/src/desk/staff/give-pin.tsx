import type { FoundPerson } from '@svc/sdk';
import { Printer } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Text } from '../../ui/lists/value';
import { useTexts } from '../language/language';
import { useStaffTexts } from '../language/staff';
import style from './give-pin.module.css';
import type { StaffScene } from './scene';
import staff from './staff.module.css';
import { Title } from './title';
import type { Ask } from './use-ask';

/** Asks before a PIN is drawn, because the one before counts no more. */
export function GivePin({
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
  const { pin: t } = useStaffTexts().work;
  const { back } = useTexts();
  const [isBusy, setBusy] = useState(false);
  const draw = async () => {
    setBusy(true);
    const pin = await ask((member) => member.drawPin(person.id));
    setBusy(false);
    if (pin !== undefined) setScene({ at: 'pin', person, pin });
  };
  return (
    <>
      <Title>{t.title(<Text of={person.fullName} />)}</Title>
      <p>{t.about}</p>
      <div className={staff.actions}>
        <Button busy={isBusy} onClick={home}>
          {back}
        </Button>
        <Button look="primary" busy={isBusy} onClick={() => void draw()}>
          {t.action}
        </Button>
      </div>
    </>
  );
}

/** A PIN that is shown once, as a slip to print. */
export function ShownPin({
  person,
  pin,
  onDone,
}: {
  readonly person: FoundPerson;
  readonly pin: string;
  readonly onDone: () => void;
}) {
  const { pin: t } = useStaffTexts().work;
  const { toStart } = useTexts();
  return (
    <>
      <div className={style.slip}>
        <Title>{t.of(<Text of={person.fullName} />)}</Title>
        <output className={style.pin}>{pin}</output>
        <p>{t.once}</p>
      </div>
      <div className={`${staff.actions} ${style.actions}`}>
        <Button onClick={() => print()}>
          <Printer size={22} aria-hidden="true" />
          {t.print}
        </Button>
        <Button look="primary" onClick={onDone}>
          {toStart}
        </Button>
      </div>
    </>
  );
}
