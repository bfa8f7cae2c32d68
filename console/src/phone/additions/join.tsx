import type { Stage } from '@svc/sdk/phone';
import { useQueryClient } from '@tanstack/react-query';
import { Fingerprint, KeyRound, Smartphone } from 'lucide-react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Notice } from '../../ui/layout/surface';
import { isRetryable } from '../language/messages';
import { t } from '../language/strings';
import { Service } from '../parts/company/service';
import { Point, Points } from '../parts/screen/points';
import { Actions, Screen } from '../parts/screen/screen';
import { useAvailableProtection } from '../parts/use-available-protection';
import { useOnline } from '../parts/use-online';
import { useWork } from '../parts/use-work';
import { WithoutLock } from '../parts/without-lock';
import type { ProtectionKind } from '../vault/sealed';
import { JOININGS, type Joined, joinWith } from './joining';
import { OpenIdentity } from './open';

/** The phone that is added: a scanned code of another phone. Nothing is created or sent before the person agrees. */
export function Join({
  code,
  onClose,
  onScan,
}: {
  readonly code: string;
  readonly onClose: () => void;
  readonly onScan: () => void;
}) {
  const queries = useQueryClient();
  const online = useOnline();
  const wanted = useAvailableProtection();
  const work = useWork<Stage, Joined, ProtectionKind>((watch, wanted) =>
    joinWith(code, wanted, watch).finally(() => queries.invalidateQueries({ queryKey: JOININGS })),
  );
  if (wanted === undefined) return null;
  if (work.data) return <OpenIdentity joined={work.data} onClose={onClose} />;
  return (
    <Screen title={t.phones.joining.title} lead={<Service code={code} />}>
      <p>{t.phones.joining.text}</p>
      <Points>
        <Point icon={Smartphone}>{t.phones.joining.same}</Point>
        <Point icon={wanted === 'screen-lock' ? Fingerprint : KeyRound}>{t.register.about[wanted]}</Point>
      </Points>
      {!online && <Notice tone="warn">{t.phones.offline}</Notice>}
      {work.error && (
        <Failure
          error={work.error}
          onRetry={isRetryable(work.error) ? () => work.mutate(wanted) : undefined}
        />
      )}
      <WithoutLock error={work.error} onContinue={() => work.mutate('browser')} />
      <Actions>
        <Button onClick={onClose}>{t.cancel}</Button>
        {work.error ? (
          <Button look="primary" onClick={onScan}>
            {t.scanAnother}
          </Button>
        ) : (
          <Button look="primary" busy={work.isPending} onClick={() => work.mutate(wanted)}>
            {t.continue}
          </Button>
        )}
      </Actions>
    </Screen>
  );
}
