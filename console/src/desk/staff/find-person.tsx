import type { FoundPerson } from '@svc/sdk';
import { useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../ui/forms/button';
import { TextField } from '../../ui/forms/fields/field';
import { Form } from '../../ui/forms/form';
import { Text } from '../../ui/lists/value';
import { useTexts } from '../language/language';
import { useStaffTexts } from '../language/staff';
import form from '../views/forms/form.module.css';
import { Choice, Choices } from './choices';
import type { Ask } from './room';
import type { Purpose, StaffScene } from './scene';
import style from './staff.module.css';

/** The service finds no more. */
const MAX_FOUND = 10;

/** Finds somebody by name. */
export function FindPerson({
  purpose,
  ask,
  setScene,
  home,
}: {
  readonly purpose: Purpose;
  readonly ask: Ask;
  readonly setScene: (scene: StaffScene) => void;
  readonly home: () => void;
}) {
  const { find: t } = useStaffTexts().work;
  const { back } = useTexts();
  const [people, setPeople] = useState<readonly FoundPerson[]>();
  const [typed, setTyped] = useState('');
  const [isShort, setShort] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const fields = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => fields.current?.querySelector('input')?.focus(), []);
  const find = async (name: string) => {
    const hasLetters = (name.match(/\p{L}/gu) ?? []).length >= 3;
    setShort(!hasLetters);
    if (!hasLetters) return;
    setBusy(true);
    const found = await ask((staff) => staff.findPeople(name.trim()));
    setBusy(false);
    setTyped(name);
    if (found) setPeople(found);
  };
  return (
    <>
      <h1>{t[purpose]}</h1>
      <div className={style.search} ref={fields}>
        <Form names={['name']} className={form.fields} onSend={({ name }) => void (isBusy || find(name))}>
          <TextField
            label={t.name}
            name="name"
            maxLength={200}
            autoComplete="off"
            autoCapitalize="words"
            spellCheck={false}
            hint={t.hint}
            error={isShort ? t.short : undefined}
          />
          <div className={form.actions}>
            <Button onClick={home}>{back}</Button>
            <Button look="primary" type="submit" busy={isBusy}>
              {t.action}
            </Button>
          </div>
        </Form>
      </div>
      {people && (
        <>
          <p role="status" className={people.length > 0 ? 'visually-hidden' : undefined}>
            {people.length > 0 ? `${t.found}: ${people.length}` : t.none}
          </p>
          <Choices label={t.found}>
            {people.map((person) => (
              <Choice
                key={person.id}
                name={<Text of={person.fullName} />}
                about={[
                  t.phones(person.phones.length),
                  ...(person.nameConfirmed ? [] : [t.unconfirmed]),
                ].join(' · ')}
                onChoose={() =>
                  setScene(
                    purpose === 'lost'
                      ? { at: 'phones', person }
                      : { at: 'how', registrant: { found: person } },
                  )
                }
              />
            ))}
            {purpose === 'register' && (
              <Choice
                name={t.someoneNew}
                onChoose={() => setScene({ at: 'new', person: { fullName: typed, contact: '' } })}
              />
            )}
          </Choices>
          {people.length === MAX_FOUND && <p>{t.more}</p>}
        </>
      )}
    </>
  );
}
