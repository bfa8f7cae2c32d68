import { Button } from '../../ui/forms/button';
import type { Session } from '../flow/api';
import type { Action } from '../flow/stage';
import { Choices } from '../frame/frame';
import { t } from '../language/strings';
import style from './noting.module.css';

/** Screen readers then read the title. */
const focus = (heading: HTMLElement | null): void => heading?.focus();

/** Shows the number before this browser goes on to the phone's page, which asks for it. */
export const Noting = ({
  session,
  dispatch,
}: {
  readonly session: Session;
  readonly dispatch: (action: Action) => void;
}) => (
  <>
    <div className={style.noting}>
      <h1 id="number-label" ref={focus} tabIndex={-1}>
        {t.signIn.remember.title}
      </h1>
      <p>{t.signIn.remember.text}</p>
      <output aria-labelledby="number-label">{session.matchCode}</output>
    </div>
    <Choices>
      <Button look="primary" onClick={() => dispatch({ type: 'noted' })}>
        {t.continue}
      </Button>
      <Button onClick={() => dispatch({ type: 'cancel' })}>{t.cancel}</Button>
    </Choices>
  </>
);
