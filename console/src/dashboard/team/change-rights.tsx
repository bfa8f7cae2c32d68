import type { Member } from '@svc/sdk';
import { useState } from 'react';
import { Cancel, Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { CheckField } from '../../ui/forms/fields/field';
import { Stack } from '../../ui/layout/stack';
import { Text } from '../../ui/lists/value';
import { textOfMember } from '../nouns/members/roles';
import { useAllSites } from '../nouns/sites/use-sites';
import { ENVIRONMENTS } from '../operations/environment';
import { useSend } from '../operations/send';
import style from './change-rights.module.css';

/** What a member may do with hours, and at which sites. */
export function ChangeRights({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) {
  const sites = useAllSites();
  const [hours, setHours] = useState(member.hours);
  const [representative, setRepresentative] = useState(member.representative);
  const [siteIds, setSiteIds] = useState(member.siteIds);
  const change = useSend('consoleUpdateMember', {
    done: 'Rights changed. They apply immediately.',
    onReloaded: onClose,
  });
  const toggle = (id: string) =>
    setSiteIds(siteIds?.includes(id) ? siteIds.filter((one) => one !== id) : [...(siteIds ?? []), id]);
  return (
    <Dialog
      title={
        <>
          Rights of <Text of={textOfMember(member)} />
        </>
      }
      busy={change.isPending}
      onClose={onClose}
    >
      <CheckField
        label="Hours"
        hint="Reads sheets, proposes and decides corrections, closes months, takes files."
        checked={hours}
        onChange={() => setHours(!hours)}
      />
      <CheckField
        label="Representative"
        hint="Reads sheets for the people they represent, and changes nothing."
        checked={representative}
        onChange={() => setRepresentative(!representative)}
      />
      <fieldset className={style.sites} disabled={!(hours || representative)}>
        <legend>Sites</legend>
        <Stack gap={2}>
          <CheckField
            label="All sites"
            checked={siteIds === null}
            onChange={() => setSiteIds(siteIds === null ? [] : null)}
          />
          {siteIds !== null &&
            sites.map(({ id, name, environment }) => (
              <CheckField
                key={id}
                label={environment === 'live' ? name : `${name} (${ENVIRONMENTS.test})`}
                checked={siteIds.includes(id)}
                onChange={() => toggle(id)}
              />
            ))}
        </Stack>
      </fieldset>
      {change.error && <Failure error={change.error} />}
      <DialogActions>
        <Cancel />
        <Button
          look="primary"
          busy={change.isPending}
          disabled={(hours || representative) && siteIds?.length === 0}
          onClick={() =>
            change.mutate({ path: { memberId: member.id }, body: { hours, representative, siteIds } })
          }
        >
          Change the rights
        </Button>
      </DialogActions>
    </Dialog>
  );
}
