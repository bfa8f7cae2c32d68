import type { VersionedSecurityPolicy } from '@svc/sdk';
import { useEffect, useState } from 'react';
import { UnsavedChanges } from '../../../ui/dialogs/unsaved';
import { Button } from '../../../ui/forms/button';
import { Stack } from '../../../ui/layout/stack';
import { EditableBy } from '../../nouns/members/needs';
import { type Choices, choicesOf, patchOf } from '../../nouns/policy/policy';
import { changesBetween } from '../../nouns/policy/policy-labels';
import { LostPhones } from '../lost-phones';
import { NewBrowserRules } from '../new-browser/new-browser';
import { PairingRules } from '../pairing-rules';
import { Providers } from '../providers';
import { Requirements } from '../requirements';
import { Retention } from '../retention';
import style from '../security.module.css';
import { TryOut } from '../try-out/try-out';
import { Presets } from './presets';
import { SavePolicy } from './save-policy';

export function PolicyForm({ seen }: { readonly seen: VersionedSecurityPolicy }) {
  const { policy, version } = seen;
  const current = choicesOf(policy);
  const [chosen, setChosen] = useState(current);
  const [saving, setSaving] = useState(false);
  /** What the service did not accept, until it is changed. */
  const [rejection, setRejection] = useState<unknown>();
  // When the policy changes, here or elsewhere, reset the form to it.
  useEffect(() => setChosen(choicesOf(policy)), [policy]);
  const changes = changesBetween(current, chosen);
  const choose = (change: Partial<Choices>) => {
    setChosen({ ...chosen, ...change });
    setRejection(undefined);
  };
  return (
    <div className={style.form}>
      <UnsavedChanges exist={changes.length > 0} />
      <EditableBy least="owner">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            setSaving(true);
          }}
        >
          <Stack>
            <Presets chosen={chosen} current={current} onChoose={choose} />
            <PairingRules chosen={chosen} onChoose={choose} rejection={rejection} />
            <NewBrowserRules chosen={chosen} onChoose={choose} />
            <LostPhones chosen={chosen} onChoose={choose} />
            <Requirements chosen={chosen} onChoose={choose} />
            <Retention chosen={chosen} onChoose={choose} current={current.retentionDays} />
            <Providers chosen={chosen} onChoose={choose} />
            <div className={style.save} data-changed={changes.length > 0}>
              <Button look="primary" type="submit" disabled={changes.length === 0}>
                Save the policy
              </Button>
              {changes.length > 0 && <Button onClick={() => setChosen(current)}>Discard changes</Button>}
            </div>
          </Stack>
        </form>
      </EditableBy>
      <TryOut of={chosen} />
      {saving && (
        <SavePolicy
          patch={patchOf(current, chosen)}
          version={version}
          changes={changes}
          onRejected={setRejection}
          onClose={() => setSaving(false)}
        />
      )}
    </div>
  );
}
