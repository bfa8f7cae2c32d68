import type { VersionedSecurityPolicy } from '@svc/sdk';
import { useEffect, useState } from 'react';
import { UnsavedChanges } from '../../ui/dialogs/unsaved';
import { Button } from '../../ui/forms/button';
import { CheckField } from '../../ui/forms/field';
import { Panel } from '../../ui/layout/panel';
import { Row, Stack } from '../../ui/layout/surface';
import { EditableBy } from '../team/needs';
import { ChoiceField } from './choice-field';
import { LostPhones } from './lost-phones';
import { NewBrowserRules } from './new-browser/new-browser';
import { PairingRules } from './pairing-rules';
import { type Choices, choicesOf, patchOf } from './policy';
import { changesBetween } from './policy-labels';
import { Providers } from './providers';
import { Retention } from './retention';
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
    <>
      <UnsavedChanges exist={changes.length > 0} />
      <EditableBy least="owner">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            setSaving(true);
          }}
        >
          <Stack>
            <Panel title="Requirements for phones and proofs">
              <ChoiceField
                of="integrity"
                chosen={chosen}
                onChoose={choose}
                hint="The integrity that a phone reports about itself when it signs in on a computer. The service can’t verify it. This blocks unmodified clients on weak phones, but not an attacker with a custom client."
              />
              <CheckField
                label="Also accept phones that report nothing"
                hint="Applies only if an integrity is required."
                checked={chosen.absent}
                onChange={(event) => choose({ absent: event.target.checked })}
              />
              <CheckField
                label="Accept proofs that are not bound to a request"
                hint="Only for migrating from the deprecated endpoints. Such a proof does not show when and for whom it was created. Turn this off as soon as you can."
                checked={chosen.unbound}
                onChange={(event) => choose({ unbound: event.target.checked })}
              />
              <ChoiceField
                of="deprecatedVerify"
                chosen={chosen}
                onChoose={choose}
                hint="We recommend that you disable it. POST /v1/auth/zkp/verify accepts a proof of any secret, even one that nobody enrolled, so it is not a login. Use POST /v1/identity/verify instead."
              />
            </Panel>
            <PairingRules chosen={chosen} onChoose={choose} rejection={rejection} />
            <NewBrowserRules chosen={chosen} onChoose={choose} />
            <LostPhones chosen={chosen} onChoose={choose} />
            <Retention chosen={chosen} onChoose={choose} current={current.retentionDays} />
            <Providers chosen={chosen} onChoose={choose} />
            <Row>
              <Button look="primary" type="submit" disabled={changes.length === 0}>
                Save the policy
              </Button>
              {changes.length > 0 && <Button onClick={() => setChosen(current)}>Discard changes</Button>}
            </Row>
          </Stack>
        </form>
      </EditableBy>
      {saving && (
        <SavePolicy
          patch={patchOf(current, chosen)}
          version={version}
          changes={changes}
          onRejected={setRejection}
          onClose={() => setSaving(false)}
        />
      )}
    </>
  );
}
