import type { SecurityPolicy } from '@svc/sdk';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/forms/button';
import { CheckField } from '../../ui/forms/field';
import { Card, Notice, Row, Stack } from '../../ui/layout/surface';
import { ChoiceField } from './choice-field';
import { type Choices, choicesOf } from './policy';
import { changesBetween } from './policy-words';
import { Providers } from './providers';
import { SavePolicy } from './save-policy';

export function PolicyForm({ policy }: { readonly policy: SecurityPolicy }) {
  const current = choicesOf(policy);
  const [chosen, setChosen] = useState(current);
  const [saving, setSaving] = useState(false);
  const [saved, setSaved] = useState(false);
  // Another policy, saved here or elsewhere, is what is chosen from now on.
  useEffect(() => setChosen(choicesOf(policy)), [policy]);
  const changes = changesBetween(current, chosen);
  const choose = (change: Partial<Choices>) => {
    setSaved(false);
    setChosen({ ...chosen, ...change });
  };
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setSaving(true);
        }}
      >
        <Stack>
          <Card title="What a phone and its proof must bring along">
            <ChoiceField
              of="integrity"
              chosen={chosen}
              onChoose={choose}
              hint="What a phone says of its own soundness when it signs a desktop in. The service checks no evidence of it: this keeps honest clients on weak phones out, not who writes a client of their own."
            />
            <CheckField
              label="Also let phones in that report nothing"
              hint="Counts only where an integrity is asked for."
              checked={chosen.absent}
              onChange={(event) => choose({ absent: event.target.checked })}
            />
            <CheckField
              label="Accept proofs that are not bound to a request"
              hint="For moving off the deprecated endpoints alone: such a proof says nothing of when and for whom it was made. Switch it off as soon as you can."
              checked={chosen.unbound}
              onChange={(event) => choose({ unbound: event.target.checked })}
            />
            <ChoiceField
              of="deprecatedVerify"
              chosen={chosen}
              onChoose={choose}
              hint="We recommend that you disable it. POST /v1/auth/zkp/verify accepts a proof of any secret, even one that nobody enrolled, so it is not a login. Use POST /v1/identity/verify instead."
            />
          </Card>
          <Providers chosen={chosen} onChoose={choose} />
          {saved && changes.length === 0 && (
            <Notice tone="good">Saved. It holds from the next request on.</Notice>
          )}
          <Row>
            <Button look="primary" type="submit" disabled={changes.length === 0}>
              Save the policy
            </Button>
            {changes.length > 0 && <Button onClick={() => setChosen(current)}>Undo the changes</Button>}
          </Row>
        </Stack>
      </form>
      {saving && (
        <SavePolicy
          choices={chosen}
          changes={changes}
          onSaved={() => setSaved(true)}
          onClose={() => setSaving(false)}
        />
      )}
    </>
  );
}
