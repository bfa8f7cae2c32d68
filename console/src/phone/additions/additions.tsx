import type { Stage } from '@svc/sdk/phone';
import { ScanLine, ShieldCheck, Smartphone } from 'lucide-react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { isRetryable } from '../language/messages';
import { t } from '../language/strings';
import { Asking } from '../parts/company/company';
import { Point, Points } from '../parts/screen/points';
import { Actions, Screen } from '../parts/screen/screen';
import { Sending } from '../parts/screen/sending';
import { useWork } from '../parts/use-work';
import type { Identity } from '../vault/identities';
import { type Invitation, openInvitation } from './invitation';
import { Meet } from './meet';

/** The phone that adds another one: explains it, shows a code, and asks for the digits. */
export function AddPhone({
  identity,
  onBack,
  onClose,
}: {
  readonly identity: Identity;
  readonly onBack: () => void;
  readonly onClose: () => void;
}) {
  const work = useWork<Stage, Invitation>((watch) => openInvitation(identity, watch));
  if (work.data)
    return <Meet key={work.data.id} invitation={work.data} onAgain={work.reset} onClose={onClose} />;
  return (
    <Screen title={t.phones.add} lead={<Asking account={identity} />}>
      {work.isPending && <Sending stage={work.stage} />}
      {work.isIdle && (
        <Points>
          <Point icon={ScanLine}>{t.phones.adding.intro.near}</Point>
          <Point icon={Smartphone}>{t.phones.adding.intro.own}</Point>
          <Point icon={ShieldCheck}>{t.phones.adding.intro.yours}</Point>
        </Points>
      )}
      {work.error && <Failure error={work.error} />}
      <Actions>
        <Button onClick={onBack}>{t.back}</Button>
        {(!work.error || isRetryable(work.error)) && (
          <Button look="primary" busy={work.isPending} onClick={() => work.mutate()}>
            {t.phones.adding.show}
          </Button>
        )}
      </Actions>
    </Screen>
  );
}
