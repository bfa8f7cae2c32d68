import { isSvcError } from '@svc/sdk';
import { CircleHelp, Clock, ShieldX } from 'lucide-react';
import { Button } from '../../ui/forms/button';
import { messageOf } from '../language/messages';
import { t } from '../language/strings';
import { Outcome } from '../parts/screen/outcome';

/** The end of an addition on the phone that was to be added. */
export const NotAddedHere = ({
  error,
  onClose,
}: {
  readonly error: unknown;
  readonly onClose: () => void;
}) => {
  const { joining } = t.phones;
  const actions = (
    <Button look="primary" onClick={onClose}>
      {t.done}
    </Button>
  );
  if (isSvcError(error, 'addition_unconfirmed'))
    return (
      <Outcome tone="calm" icon={CircleHelp} title={joining.unconfirmed} actions={actions}>
        <p>{joining.unconfirmedText}</p>
      </Outcome>
    );
  const hasExpired = isSvcError(error, 'addition_not_found');
  return (
    <Outcome
      tone={hasExpired ? 'calm' : 'bad'}
      icon={hasExpired ? Clock : ShieldX}
      title={joining.notAdded}
      actions={actions}
    >
      <p>
        {hasExpired
          ? joining.expiredText
          : isSvcError(error, 'addition_rejected')
            ? joining.notAddedText
            : messageOf(error)}
      </p>
      <p>{joining.startAgain}</p>
    </Outcome>
  );
};
