import { ScanLine, ShieldCheck, Smartphone } from 'lucide-react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Asking } from '../company/company';
import type { Identity } from '../identities/identity';
import { t } from '../language/strings';
import { isRetryable } from '../messages';
import { Sending } from '../phones/sending';
import type { SendStage } from '../prover/prove-to-send';
import { Actions, Point, Points, Screen } from '../screen';
import { useWork } from '../use-work';
import { type Invitation, openInvitation } from './invite';
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
  const work = useWork<SendStage, Invitation>((watch) => openInvitation(identity, watch));
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
