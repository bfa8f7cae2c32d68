import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Fingerprint, KeyRound, Smartphone } from 'lucide-react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Notice } from '../../ui/layout/surface';
import { Service } from '../company/service';
import { t } from '../language/strings';
import { isRetryable } from '../messages';
import { useOnline } from '../offline/online';
import { Actions, Point, Points, Screen } from '../screen';
import { useWork } from '../use-work';
import { availableProtection, NoScreenLock, NotUnlocked, type ProtectionKind } from '../vault/protection';
import { JOININGS, type Joined, join, type Stage } from './joining';
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
  const best = useQuery({ queryKey: ['protection'], queryFn: availableProtection });
  const work = useWork<Stage, Joined, ProtectionKind>((watch, wanted) =>
    join(code, wanted, watch).finally(() => queries.invalidateQueries({ queryKey: JOININGS })),
  );
  if (best.data === undefined) return null;
  if (work.data) return <OpenIdentity joined={work.data} onClose={onClose} />;
  const wanted = best.data;
  const isLocked = work.error instanceof NotUnlocked || work.error instanceof NoScreenLock;
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
      {isLocked && (
        <Notice
          action={
            <Button small onClick={() => work.mutate('browser')}>
              {t.register.withoutLock}
            </Button>
          }
        >
          {t.register.withoutLockText}
        </Notice>
      )}
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
