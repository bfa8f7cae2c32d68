import type { FoundPerson } from '@svc/sdk';
import { LockKeyhole } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Time } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { useTexts } from '../language/language';
import { useStaffTexts } from '../language/staff';
import { Outcome } from '../views/outcomes/outcome';
import type { StaffScene } from './scene';
import style from './staff.module.css';
import { Title } from './title';
import type { Ask } from './use-ask';

const DOUBLE_CLICK_MS = 500;

interface Showing {
  readonly person: FoundPerson;
  readonly setScene: (scene: StaffScene) => void;
  readonly home: () => void;
}

/** The phones of somebody, each of which can be locked. */
export function LostPhone({ person, ask, setScene, home }: Showing & { readonly ask: Ask }) {
  const { phones: t, locked } = useStaffTexts().work;
  const { back } = useTexts();
  const [chosen, setChosen] = useState<string>();
  const isReady = useReady(chosen);
  const [isBusy, setBusy] = useState(false);
  const name = <Text of={person.fullName} />;
  const lock = async (did: string) => {
    setBusy(true);
    const done = await ask((staff) => staff.lockPhone(did));
    setBusy(false);
    const phones = person.phones.filter((phone) => phone.did !== did);
    if (done) setScene({ at: 'locked', person: { ...person, phones } });
  };
  const isNone = person.phones.length === 0;
  return (
    <>
      <Title>{isNone ? t.none(name) : t.title(name)}</Title>
      {isNone && <p>{t.noneAbout}</p>}
      <ul className={style.choices} aria-label={t.list}>
        {person.phones.map(({ did, createdAt }) => (
          <li key={did} className={style.phone}>
            <span className={style.text}>
              <strong>{t.phone}</strong>
              <span id={`since-${did}`}>{t.since(<Time at={createdAt} />)}</span>
            </span>
            {chosen === did ? (
              <Button look="danger" busy={isBusy} disabled={!isReady} onClick={() => void lock(did)}>
                {t.yes}
              </Button>
            ) : (
              <Button busy={isBusy} aria-describedby={`since-${did}`} onClick={() => setChosen(did)}>
                {t.lock}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <p className="visually-hidden" role="status">
        {chosen !== undefined && t.sure}
      </p>
      <div className={style.actions}>
        <Button busy={isBusy} onClick={home}>
          {back}
        </Button>
        {isNone && (
          <Button look="primary" onClick={() => setScene({ at: 'how', registrant: { found: person } })}>
            {locked.register}
          </Button>
        )}
      </div>
    </>
  );
}

/** Whether a choice is old enough: the second click of a double click falls on the button that comes in its place. */
function useReady(chosen: string | undefined): boolean {
  const [ready, setReady] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setReady(chosen), DOUBLE_CLICK_MS);
    return () => clearTimeout(timer);
  }, [chosen]);
  return ready === chosen;
}

/** A phone is locked, and the new one may be at hand. */
export function PhoneLocked({ person, setScene, home }: Showing) {
  const { locked: t } = useStaffTexts().work;
  return (
    <Outcome tone="good" icon={<LockKeyhole strokeWidth={1.75} />} title={t.title} text={t.about}>
      <Button look="primary" onClick={() => setScene({ at: 'how', registrant: { found: person } })}>
        {t.register}
      </Button>
      <Button onClick={home}>{t.later}</Button>
    </Outcome>
  );
}
