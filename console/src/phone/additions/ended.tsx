import { Clock, Hash, ShieldX } from 'lucide-react';
import { Button } from '../../ui/forms/button';
import { t } from '../language/strings';
import { Outcome } from '../parts/screen/outcome';

/** Why nobody was added: the digits were wrong, the person said that it is not their phone, or time is over. */
export type Ended = 'rejected' | 'refused' | 'expired';

/** Nobody was added, and what the person should think of it. */
export const NobodyAdded = ({
  why,
  onAgain,
  onClose,
}: {
  readonly why: Ended;
  readonly onAgain: () => void;
  readonly onClose: () => void;
}) => {
  const { adding } = t.phones;
  return (
    <Outcome
      tone={why === 'expired' ? 'calm' : 'bad'}
      icon={{ rejected: Hash, refused: ShieldX, expired: Clock }[why]}
      title={why === 'expired' ? adding.expired : adding.rejected}
      actions={
        <>
          <Button onClick={onClose}>{t.close}</Button>
          <Button look="primary" onClick={onAgain}>
            {adding.again}
          </Button>
        </>
      }
    >
      {why === 'expired' && <p>{adding.expiredText}</p>}
      {why === 'refused' && <p>{adding.refusedText}</p>}
      {why === 'rejected' && (
        <>
          <p>{adding.rejectedText}</p>
          <p>{adding.rejectedYours}</p>
        </>
      )}
      {why !== 'expired' && <p>{adding.rejectedNotYours}</p>}
    </Outcome>
  );
};
