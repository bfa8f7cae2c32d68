import { Check } from 'lucide-react';
import { Button } from '../../ui/forms/button';
import { Text } from '../../ui/lists/value';
import type { SignIn } from '../flow/api';
import type { Action } from '../flow/stage';
import { Choices } from '../frame/frame';
import { t } from '../language/strings';
import style from './consent.module.css';

const NAMES: Readonly<Record<string, string>> = t.consent.claims;

/** What the application gets. The person is signed in, so no phone is needed. */
export function Consent({
  signIn,
  consent: { claims, staysSignedIn },
  dispatch,
}: {
  readonly signIn: SignIn;
  readonly consent: NonNullable<SignIn['consent']>;
  readonly dispatch: (action: Action) => void;
}) {
  const points = [
    t.consent.known,
    ...claims.map((claim) => (Object.hasOwn(NAMES, claim) ? (NAMES[claim] as string) : claim)),
    ...(staysSignedIn ? [t.consent.staysSignedIn] : []),
  ];
  return (
    <>
      <div className={style.consent}>
        <h1>{t.consent.title(<Text of={signIn.client.name} />)}</h1>
        <p>{t.consent.text(<Text of={signIn.client.name} />)}</p>
        <ul>
          {points.map((point) => (
            <li key={point}>
              <Check size={18} aria-hidden="true" />
              <Text of={point} />
            </li>
          ))}
        </ul>
      </div>
      <Choices>
        <Button look="primary" onClick={() => dispatch({ type: 'consent' })}>
          {t.continue}
        </Button>
        <Button onClick={() => dispatch({ type: 'cancel' })}>{t.cancel}</Button>
      </Choices>
    </>
  );
}
