import { type RegistrationLink, type Stage, startRegistration } from '@svc/sdk/phone';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Notice } from '../../ui/layout/surface';
import { isRetryable } from '../language/messages';
import { t } from '../language/strings';
import { Service } from '../parts/company/service';
import { NoStorage } from '../parts/screen/no-storage';
import { Actions, Screen } from '../parts/screen/screen';
import { useOnline } from '../parts/use-online';
import { useWork } from '../parts/use-work';
import { phoneWith } from '../ports/ports';
import { CEREMONIES, type Ceremony, readCeremonies } from './ceremony';
import { ConfirmRegistration } from './confirm';

/** Starts a registration from the desk's code. Nothing is sent before the person agrees. */
export function Register({
  link,
  onClose,
}: {
  readonly link: RegistrationLink;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const online = useOnline();
  const ceremonies = useQuery({ queryKey: CEREMONIES, queryFn: readCeremonies });
  const [paired, setPaired] = useState<Ceremony>();
  const work = useWork<Stage, void>(async (watch) => {
    setPaired(await startRegistration(phoneWith(), link, watch));
    await queries.invalidateQueries({ queryKey: CEREMONIES });
  });
  const ceremony = paired ?? ceremonies.data?.find(({ sessionId }) => sessionId === link.session);
  if (ceremonies.error)
    return <NoStorage error={ceremonies.error} onRetry={() => void ceremonies.refetch()} />;
  if (ceremonies.data === undefined) return null;
  if (ceremony) return <ConfirmRegistration started={ceremony} onClose={onClose} />;
  return (
    <Screen title={t.register.title} lead={<Service code={link.code} />}>
      <p>{t.register.text}</p>
      {!online && !work.isPending && <Notice tone="warn">{t.register.offline}</Notice>}
      {work.stage === 'waiting' && work.isPending && <Notice>{t.register.waiting}</Notice>}
      {work.error && (
        <Failure error={work.error} onRetry={isRetryable(work.error) ? () => work.mutate() : undefined} />
      )}
      <Actions>
        <Button onClick={onClose}>{t.cancel}</Button>
        {!work.error && (
          <Button look="primary" busy={work.isPending} onClick={() => work.mutate()}>
            {t.continue}
          </Button>
        )}
      </Actions>
    </Screen>
  );
}
