import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Facts, Notice } from '../../ui/layout/surface';
import { useOnline } from '../offline/online';
import style from '../phone.module.css';
import { NoStorage, Screen } from '../screen';
import { explained, mayTryAgain } from '../sentences';
import { SERVICE } from '../service';
import { useWork } from '../use-work';
import { begunCeremonies, CEREMONIES, type Ceremony, type PairLink, pairPhone, type Stage } from './ceremony';
import { Confirmed } from './confirm';

/** A registration from the desk's code on. Nothing is sent before the person said so. */
export function Register({ link, onClose }: { readonly link: PairLink; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const online = useOnline();
  const begun = useQuery({ queryKey: CEREMONIES, queryFn: begunCeremonies });
  const [paired, setPaired] = useState<Ceremony>();
  const work = useWork<Stage, void>(async (watch) => {
    setPaired(await pairPhone(link, watch));
    await queries.invalidateQueries({ queryKey: CEREMONIES });
  });
  const ceremony = paired ?? begun.data?.find(({ sessionId }) => sessionId === link.session);
  if (begun.error) return <NoStorage error={begun.error} onRetry={() => void begun.refetch()} />;
  if (begun.data === undefined) return null;
  if (ceremony) return <Confirmed begun={ceremony} onClose={onClose} />;
  return (
    <Screen title="Register this phone?">
      <Facts
        facts={[
          ['Service', SERVICE],
          ['Code', <code key="code">{link.code}</code>],
        ]}
      />
      <p>
        Is this the service that your desk belongs to? The phone sends the code and a random number, and is
        told the account. Then you are asked again, before an identity is made.
      </p>
      {!online && !work.isPending && (
        <Notice tone="warn">
          You are offline. Press “Go on” and leave this page open: the code is sent when there is a network.
        </Notice>
      )}
      {work.stage === 'waiting' && work.isPending && (
        <Notice>It waits for a network to send the code.</Notice>
      )}
      {work.error && (
        <Failure
          error={explained(work.error)}
          onRetry={mayTryAgain(work.error) ? () => work.mutate() : undefined}
        />
      )}
      <div className={style.choices}>
        <Button onClick={onClose}>Cancel</Button>
        {!work.error && (
          <Button look="primary" busy={work.isPending} onClick={() => work.mutate()}>
            Go on
          </Button>
        )}
      </div>
    </Screen>
  );
}
