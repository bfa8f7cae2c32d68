import type { Stage } from '@svc/sdk/phone';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Notice } from '../../ui/layout/surface';
import { isRetryable } from '../language/messages';
import { t } from '../language/strings';
import { AccountAndEnvironment, Asking, Tile } from '../parts/company/company';
import choices from '../parts/lists/choices.module.css';
import { NoStorage } from '../parts/screen/no-storage';
import { Actions, Screen } from '../parts/screen/screen';
import { Sending } from '../parts/screen/sending';
import { useHasBeenVisible } from '../parts/use-visible';
import { useWork } from '../parts/use-work';
import { IDENTITIES, type Identity, readIdentities } from '../vault/identities';
import { Contested, type ContestResult, object } from './recovery';

/** A link in a company's message, by which a person objects to a new phone. The link doesn't say which company it is. */
export function RecoveryLink({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { data, error, refetch } = useQuery({ queryKey: IDENTITIES, queryFn: readIdentities });
  const [chosen, setChosen] = useState<Identity>();
  if (error) return <NoStorage error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return null;
  const identity = chosen ?? (data.length === 1 ? data[0] : undefined);
  if (identity) return <ContestByLink id={id} identity={identity} onClose={onClose} />;
  return (
    <Screen title={t.phones.recovery.link}>
      {data.length === 0 ? (
        <Notice tone="warn">{t.phones.recovery.noIdentity}</Notice>
      ) : (
        <>
          <p>{t.phones.recovery.choose}</p>
          <ul className={choices.choices}>
            {data.map((one) => (
              <li key={one.id}>
                <button type="button" className={choices.choice} onClick={() => setChosen(one)}>
                  <Tile account={one} place="list" />
                  <strong>
                    <AccountAndEnvironment account={one} />
                  </strong>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <Actions>
        <Button onClick={onClose}>{t.back}</Button>
      </Actions>
    </Screen>
  );
}

function ContestByLink({
  id,
  identity,
  onClose,
}: {
  readonly id: string;
  readonly identity: Identity;
  readonly onClose: () => void;
}) {
  const isReady = useHasBeenVisible();
  const work = useWork<Stage, ContestResult>((watch) => object(identity, id, watch));
  if (work.data) return <Contested account={identity} result={work.data} onClose={onClose} />;
  return (
    <Screen title={t.phones.recovery.link} lead={<Asking account={identity} />}>
      <Notice tone="bad">{t.phones.recovery.linkText}</Notice>
      {work.isPending && <Sending stage={work.stage} />}
      {work.error && (
        <Failure error={work.error} onRetry={isRetryable(work.error) ? () => work.mutate() : undefined} />
      )}
      <Actions>
        <Button onClick={onClose}>{work.error ? t.back : t.phones.recovery.isMe}</Button>
        {!work.error && (
          <Button look="primary" busy={work.isPending || !isReady} onClick={() => work.mutate()}>
            {t.phones.recovery.notMe}
          </Button>
        )}
      </Actions>
    </Screen>
  );
}
