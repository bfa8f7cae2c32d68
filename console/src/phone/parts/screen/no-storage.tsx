import { Button } from '../../../ui/forms/button';
import { Notice } from '../../../ui/layout/surface';
import { t } from '../../language/strings';

/** Shown when the database can't be read, temporarily, or always as in some private windows. */
export const NoStorage = ({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) => (
  <Notice
    tone="bad"
    action={
      <Button small onClick={onRetry}>
        {t.tryAgain}
      </Button>
    }
  >
    <p>{t.noStorage}</p>
    <p>
      <small>{String(error)}</small>
    </p>
  </Notice>
);
