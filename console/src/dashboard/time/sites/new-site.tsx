import type { Operations, Site } from '@svc/sdk';
import { useState } from 'react';
import { Link } from 'react-router';
import { Cancel, Dialog, DialogActions } from '../../../ui/dialogs/dialog';
import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { Form } from '../../../ui/forms/form';
import { Stack } from '../../../ui/layout/stack';
import { Notice } from '../../../ui/layout/surface';
import { Text } from '../../../ui/lists/value';
import { useSites } from '../../nouns/sites/use-sites';
import { useEnvironment } from '../../operations/environment';
import { useSend } from '../../operations/send';
import { accountPage, pageIn } from '../../paths';
import { useSpoken } from '../language/errors';
import { t } from '../language/strings';
import { Right, TeamLink } from '../parts/of-site';
import { SITE_FIELDS, SiteFields, type SiteInput, siteOf } from './site-fields';
import style from './sites.module.css';

type Created = Operations['createSite']['reply'];

/** Asks for a site. The first one turns working time on, so its dialog ends with what is to do next. */
export function NewSite({ onClose }: { readonly onClose: () => void }) {
  const [isFirst] = useState(useSites().data?.length === 0);
  const [from, setFrom] = useState<Site['attendanceFrom']>('desk');
  const create = useSend('createSite', isFirst ? {} : { done: t.sites.created, onReloaded: onClose });
  const error = useSpoken(create.error);
  const send = (input: SiteInput) => {
    const { payroll, ...site } = siteOf(input, from);
    create.mutate({ body: { ...site, ...(payroll && { payroll }) } });
  };
  if (isFirst && create.data) return <TurnedOn {...create.data} onClose={onClose} />;
  return (
    <Dialog title={isFirst ? t.sites.first : t.sites.add} busy={create.isPending} onClose={onClose}>
      <Form names={SITE_FIELDS} error={error} onSend={send}>
        <Stack>
          <SiteFields from={from} onFrom={setFrom} />
          {error && <Failure error={error} />}
          <DialogActions>
            <Cancel />
            <Button look="primary" type="submit" busy={create.isPending}>
              {isFirst ? t.sites.turnOn : t.sites.addThe}
            </Button>
          </DialogActions>
        </Stack>
      </Form>
    </Dialog>
  );
}

/** The keys are listed only now. */
function TurnedOn({ site, keys, onClose }: Created & { readonly onClose: () => void }) {
  const environment = useEnvironment();
  return (
    <Dialog title={t.sites.on} onClose={onClose}>
      <ol className={style.next}>
        <li>{t.sites.give(<Right name="Hours" />, <Right name="Representative" />, <TeamLink />)}</li>
        <li>
          {t.sites.place(
            <Text of={site.name} />,
            <Link to={pageIn(environment, 'devices')}>{t.sites.desks}</Link>,
            <Link to={pageIn(environment, 'users')}>{t.sites.people}</Link>,
          )}
        </li>
        <li>{t.sites.clockIn}</li>
      </ol>
      {keys.length === 0 ? (
        <p className={style.soft}>{t.sites.noKeys}</p>
      ) : (
        <Notice tone="warn">
          <p>
            {t.sites.keys(
              keys.length,
              <Link to={accountPage('keys')} lang="en">
                API keys
              </Link>,
            )}
          </p>
          <ul className={style.keys} aria-label={t.sites.keysLabel}>
            {keys.map(({ id, name }) => (
              <li key={id}>
                <Text of={name} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          {t.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
