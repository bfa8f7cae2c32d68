import { Button } from '../../ui/forms/button';
import { Notice } from '../../ui/layout/surface';
import { t } from '../language/strings';
import { needsLock } from '../ports/ports';

/** Offers to go on with the key in the browser, after the screen lock could not protect the secret. */
export const WithoutLock = ({
  error,
  onContinue,
}: {
  readonly error: unknown;
  readonly onContinue: () => void;
}) =>
  needsLock(error) && (
    <Notice
      action={
        <Button small onClick={onContinue}>
          {t.register.withoutLock}
        </Button>
      }
    >
      {t.register.withoutLockText}
    </Notice>
  );
