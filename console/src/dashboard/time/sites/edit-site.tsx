import type { Site } from '@svc/sdk';
import { useState } from 'react';
import { Cancel, Dialog, DialogActions } from '../../../ui/dialogs/dialog';
import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { Form } from '../../../ui/forms/form';
import { Stack } from '../../../ui/layout/stack';
import { Text } from '../../../ui/lists/value';
import { useSend } from '../../operations/send';
import { useSpoken } from '../language/errors';
import { t } from '../language/strings';
import { SITE_FIELDS, SiteFields, type SiteInput, siteOf } from './site-fields';

export function EditSite({ site, onClose }: { readonly site: Site; readonly onClose: () => void }) {
  const [from, setFrom] = useState(site.attendanceFrom);
  const save = useSend('updateSite', { done: t.sites.saved, onReloaded: onClose });
  const error = useSpoken(save.error);
  const send = (input: SiteInput) => save.mutate({ path: { siteId: site.id }, body: siteOf(input, from) });
  return (
    <Dialog title={t.sites.editTitle(<Text of={site.name} />)} busy={save.isPending} onClose={onClose}>
      <Form names={SITE_FIELDS} error={error} onSend={send}>
        <Stack>
          <SiteFields site={site} from={from} onFrom={setFrom} />
          <p>{t.sites.closedMonths}</p>
          {error && <Failure error={error} />}
          <DialogActions>
            <Cancel />
            <Button look="primary" type="submit" busy={save.isPending}>
              {t.save}
            </Button>
          </DialogActions>
        </Stack>
      </Form>
    </Dialog>
  );
}
