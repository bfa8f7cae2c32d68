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
import { SITE_FIELDS, SiteFields, type SiteInput, siteOf } from './site-fields';
import style from './sites.module.css';

type Created = Operations['createSite']['reply'];

/** Asks for a site. The first one turns working time on, so its dialog ends with what is to do next. */
export function NewSite({ onClose }: { readonly onClose: () => void }) {
  const [isFirst] = useState(useSites().data?.length === 0);
  const [from, setFrom] = useState<Site['attendanceFrom']>('desk');
  const create = useSend('createSite', isFirst ? {} : { done: 'Site created', onReloaded: onClose });
  const send = (input: SiteInput) => {
    const { payroll, ...site } = siteOf(input, from);
    create.mutate({ body: { ...site, ...(payroll && { payroll }) } });
  };
  if (isFirst && create.data) return <TurnedOn {...create.data} onClose={onClose} />;
  return (
    <Dialog
      title={isFirst ? 'Create the first site' : 'Add a site'}
      busy={create.isPending}
      onClose={onClose}
    >
      <Form names={SITE_FIELDS} error={create.error} onSend={send}>
        <Stack>
          <SiteFields from={from} onFrom={setFrom} />
          {create.error && <Failure error={create.error} />}
          <DialogActions>
            <Cancel />
            <Button look="primary" type="submit" busy={create.isPending}>
              {isFirst ? 'Turn working time on' : 'Add the site'}
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
    <Dialog title="Working time is on" onClose={onClose}>
      <ol className={style.next}>
        <li>
          Give <em>Hours</em> to who works with them, and <em>Representative</em> to who reads them for
          others, on the page <Link to={accountPage('team')}>Team</Link>.
        </li>
        <li>
          Choose <Text of={site.name} /> as the location of its{' '}
          <Link to={pageIn(environment, 'devices')}>desks</Link>, and as the site of its{' '}
          <Link to={pageIn(environment, 'users')}>people</Link>.
        </li>
        <li>People clock in with their phones.</li>
      </ol>
      {keys.length === 0 ? (
        <p className={style.soft}>No API key reads attendance.</p>
      ) : (
        <Notice tone="warn">
          <p>
            {keys.length === 1 ? 'This API key still reads' : 'These API keys still read'} everybody’s
            attendance. Revoke those that should not on the page{' '}
            <Link to={accountPage('keys')}>API keys</Link>.
          </p>
          <ul className={style.keys} aria-label="Keys that read attendance">
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
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
