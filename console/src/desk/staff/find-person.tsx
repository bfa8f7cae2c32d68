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
import type { Purpose, StaffScene } from './scene';
import style from './staff.module.css';
import type { Ask } from './use-ask';

/** The service finds no more. */
const MAX_FOUND = 10;

interface Search {
  readonly typed: string;
  /** Undefined while they are searched, or if that failed. */
  readonly people?: readonly FoundPerson[] | undefined;
}

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
  const [search, setSearch] = useState<Search>();
  const [isShort, setShort] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const fields = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => fields.current?.querySelector('input')?.focus(), []);
  const find = async (typed: string) => {
    const hasLetters = (typed.match(/\p{L}/gu) ?? []).length >= 3;
    setShort(!hasLetters);
    setSearch({ typed });
    if (!hasLetters) return;
    setBusy(true);
    const people = await ask((staff) => staff.findPeople(typed.trim()));
    setBusy(false);
    setSearch({ typed, people });
  };
  return (
    <>
      <h1>{t[purpose]}</h1>
      <div className={style.search} ref={fields}>
        <Form names={['name']} className={form.fields} onSend={({ name }) => void (isBusy || find(name))}>
          <TextField
            {...{ autoComplete: 'off', autoCapitalize: 'words', spellCheck: false }}
            label={t.name}
            name="name"
            maxLength={200}
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
      <p role="status" className={search?.people?.length === 0 ? undefined : 'visually-hidden'}>
        {search?.people && (search.people.length > 0 ? `${t.found}: ${search.people.length}` : t.none)}
      </p>
      {search && !isBusy && <Found {...search} purpose={purpose} setScene={setScene} />}
    </>
  );
}

/** What follows once somebody is found. */
const NEXT: Readonly<Record<Purpose, (person: FoundPerson) => StaffScene>> = {
  register: (found) => ({ at: 'how', registrant: { found } }),
  lost: (person) => ({ at: 'phones', person }),
  clock: (person) => ({ at: 'clock', person }),
  pin: (person) => ({ at: 'give-pin', person }),
};

/** Those who were found, and somebody new for a registration, also if nobody can be searched. */
function Found({
  typed,
  people = [],
  purpose,
  setScene,
}: Search & { readonly purpose: Purpose; readonly setScene: (scene: StaffScene) => void }) {
  const { find: t } = useStaffTexts().work;
  const choose = (person: FoundPerson) => setScene(NEXT[purpose](person));
  const aboutOf = ({ phones, nameConfirmed }: FoundPerson) =>
    [t.phones(phones.length), ...(nameConfirmed ? [] : [t.unconfirmed])].join(' · ');
  return (
    <>
      <Choices label={t.found}>
        {people.map((person) => (
          <Choice
            key={person.id}
            name={<Text of={person.fullName} />}
            about={aboutOf(person)}
            onChoose={() => choose(person)}
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
  );
}
