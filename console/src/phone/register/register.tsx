import { type RegistrationLink, readAccountName, type Stage, startRegistration } from '@svc/sdk/phone';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Notice } from '../../ui/layout/surface';
import { Text } from '../../ui/lists/value';
import { isInstalled, isIos } from '../install/install';
import { isRetryable } from '../language/messages';
import { t } from '../language/strings';
import { Asking, ServiceHost } from '../parts/company/company';
import { Service } from '../parts/company/service';
import { NoStorage } from '../parts/screen/no-storage';
import { Actions, Screen } from '../parts/screen/screen';
import { useOnline } from '../parts/use-online';
import { useWork } from '../parts/use-work';
import { loadBrand, phoneWith } from '../ports/ports';
import { svc } from '../service';
import { CEREMONIES, type Ceremony, readCeremonies } from './ceremony';
import { ConfirmRegistration } from './confirm';

/** The company and the person, as the service says of the code. Undefined until then, and if it can't say: the person is asked with the host alone. */
function useWhom(link: RegistrationLink, enabled: boolean) {
  return useQuery({
    queryKey: ['whom', link.session],
    queryFn: async ({ signal }) => {
      const step = { pair_code: link.code, session_id: link.session };
      const { company_name, accent_color, logo_url, tenant_id, environment, person_name } =
        await svc.registrations.context(step, { signal });
      const brand = await loadBrand({ accentColor: accent_color, logoUrl: logo_url });
      const companyName = readAccountName(company_name);
      return { account: { tenantId: tenant_id, environment, companyName, brand }, name: person_name };
    },
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/**
 * Starts a registration from the desk's code. Only the code is sent before the person agrees, so that the page can name the company and the person, and
 * the desk knows that a phone is here.
 */
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
  const whom = useWhom(link, online && ceremonies.data !== undefined && ceremony === undefined);
  if (ceremonies.error)
    return <NoStorage error={ceremonies.error} onRetry={() => void ceremonies.refetch()} />;
  if (ceremonies.data === undefined) return null;
  if (ceremony) return <ConfirmRegistration started={ceremony} onClose={onClose} />;
  return (
    <Screen
      title={t.register.title}
      lead={
        whom.data ? (
          <Asking account={whom.data.account}>
            {whom.data.name !== null && <span>{t.register.forPerson(<Text of={whom.data.name} />)}</span>}
            <ServiceHost />
          </Asking>
        ) : (
          <Service code={link.code} />
        )
      }
    >
      <p>{whom.data ? t.register.textKnown : t.register.text}</p>
      {isIos(navigator) && <Notice>{isInstalled() ? t.register.inApp : t.register.inSafari}</Notice>}
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
