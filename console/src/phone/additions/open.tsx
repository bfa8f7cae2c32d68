import { awaitAdded, openIdentity, type Stage } from '@svc/sdk/phone';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Building2, Smartphone } from 'lucide-react';
import { useEffect } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Notice } from '../../ui/layout/surface';
import { Countdown } from '../../ui/lists/time';
import { isRetryable } from '../language/messages';
import { t } from '../language/strings';
import { whenText } from '../language/when';
import { AccountName, Asking } from '../parts/company/company';
import { Success } from '../parts/screen/outcome';
import { Point, Points } from '../parts/screen/points';
import { Progress, stepOf } from '../parts/screen/progress';
import { Actions, Screen } from '../parts/screen/screen';
import screen from '../parts/screen/screen.module.css';
import { useWork } from '../parts/use-work';
import { Waiting } from '../parts/waiting';
import { IDENTITIES, type Identity, idOf, readIdentities } from '../vault/identities';
import style from './additions.module.css';
import { grouped, type Joined } from './joining';
import { NotAddedHere } from './not-added';

const stepsOf = (): readonly (readonly [Stage, string])[] => [
  ['meeting', t.phones.joining.steps.meeting],
  ['loading', t.phones.joining.steps.loading],
  ['proving', t.phones.joining.steps.proving],
  ['sending', t.phones.joining.steps.sending],
];

/** Shows the company, and after the person agrees the digits for the other phone. */
export function OpenIdentity({ joined, onClose }: { readonly joined: Joined; readonly onClose: () => void }) {
  const { found } = joined.joining;
  const identities = useQuery({ queryKey: IDENTITIES, queryFn: readIdentities }).data ?? [];
  const work = useWork<Stage, string>((watch) => openIdentity(joined.phone, joined.joining.code, watch));
  // The person has agreed before the page was closed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the screen appears
  useEffect(() => {
    if (joined.joining.isOpened) work.mutate();
  }, []);
  if (work.data) return <ShowDigits joined={joined} digits={work.data} onClose={onClose} />;
  if (work.error && !isRetryable(work.error)) return <NotAddedHere error={work.error} onClose={onClose} />;
  return (
    <Screen title={t.phones.joining.confirm} lead={<Asking account={found} />}>
      {work.isPending && (
        <Progress first={t.steps.creating} steps={stepsOf()} now={stepOf(work.stage, 'meeting')} />
      )}
      {work.isIdle && (
        <Points>
          <Point icon={Building2}>{t.phones.joining.company}</Point>
          <Point icon={Smartphone}>{t.phones.joining.same}</Point>
        </Points>
      )}
      {work.isIdle && identities.some((identity) => idOf(identity) === idOf(found)) && (
        <Notice tone="warn">{t.phones.joining.replaces}</Notice>
      )}
      {work.isPending && work.stage === 'waiting' && <Notice tone="warn">{t.phones.offline}</Notice>}
      {work.error && <Failure error={work.error} onRetry={() => work.mutate()} />}
      <Actions>
        <Button onClick={onClose}>{t.register.later}</Button>
        {!work.error && (
          <Button look="primary" busy={work.isPending} onClick={() => work.mutate()}>
            {t.phones.joining.action}
          </Button>
        )}
      </Actions>
    </Screen>
  );
}

function ShowDigits({
  joined: { joining, phone },
  digits,
  onClose,
}: {
  readonly joined: Joined;
  readonly digits: string;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const { found } = joining;
  const decision = useQuery({
    queryKey: ['decision', found.id],
    queryFn: ({ signal }) =>
      awaitAdded(phone, joining.code, { signal }).finally(() =>
        queries.invalidateQueries({ queryKey: IDENTITIES }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (decision.data) return <AddedHere identity={decision.data} onClose={onClose} />;
  if (decision.error) return <NotAddedHere error={decision.error} onClose={onClose} />;
  return (
    <Screen
      title={t.phones.joining.digits}
      lead={
        <p className={screen.center}>
          <AccountName account={found} />
        </p>
      }
    >
      <p className={screen.center}>{t.phones.joining.digitsText}</p>
      <output className={style.digits}>{grouped(digits)}</output>
      <Waiting>{t.phones.joining.waiting}</Waiting>
      <p className={style.left}>{t.phones.adding.left(<Countdown until={found.expiresAt} />)}</p>
      <Actions>
        <Button onClick={onClose}>{t.close}</Button>
      </Actions>
    </Screen>
  );
}

const AddedHere = ({ identity, onClose }: { readonly identity: Identity; readonly onClose: () => void }) => (
  <Success title={t.phones.joining.done} action={t.done} onAction={onClose}>
    <p>
      {identity.inForceAt === undefined
        ? t.phones.joining.doneText(<AccountName account={identity} />)
        : t.phones.joining.doneLater(<AccountName account={identity} />, whenText(identity.inForceAt))}
    </p>
    <p>{t.register.doneProtected[identity.protection.kind]}</p>
  </Success>
);
