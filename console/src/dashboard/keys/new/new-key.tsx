import { type FormEvent, useState } from 'react';
import { useOutletContext } from 'react-router';
import { DEFAULT_SCOPES } from '../../../generated/scopes';
import { Cancel, Dialog, DialogActions } from '../../../ui/dialogs/dialog';
import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { Choice } from '../../../ui/forms/fields/choice';
import { SelectField, TextField } from '../../../ui/forms/fields/field';
import { Stack } from '../../../ui/layout/stack';
import { type Environment, svc } from '../../operations/api';
import { useSend } from '../../operations/send';
import { MadeKey } from '../made-key';
import { PRESETS, type Preset, type Scope } from '../scopes';
import { type Expiry, expiresAt } from './expiry';
import { ExpiryFields } from './expiry-fields';
import style from './new-key.module.css';
import { ScopeFields } from './scope-fields';

export function NewKey({ onClose }: { readonly onClose: () => void }) {
  /** The environment selected in the navigation. */
  const environment = useOutletContext<Environment>();
  const [preset, setPreset] = useState<Preset>('server');
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(new Set(DEFAULT_SCOPES));
  const [expiry, setExpiry] = useState<Expiry>('never');
  const create = useSend('consoleCreateApiKey');
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const end = expiresAt(expiry, String(form.get('date')), svc.serverNow());
    create.mutate({
      body: {
        name: String(form.get('name')),
        environment: form.get('environment') as Environment,
        scopes: [...scopes],
        ...(end !== undefined && { expiresAt: end }),
      },
    });
  };
  const choose = (chosen: Preset) => {
    setPreset(chosen);
    // “Custom” begins with what was chosen before.
    const { scopes: all } = PRESETS[chosen];
    if (all) setScopes(new Set(all));
  };
  if (create.data) return <MadeKey made={create.data.apiKey} onClose={onClose} />;
  return (
    <Dialog title="New key" busy={create.isPending} onClose={onClose}>
      <form onSubmit={send}>
        <Stack>
          <TextField
            label="Name"
            name="name"
            hint="Where the key is used, for example Front desk."
            maxLength={100}
            required
          />
          <div className={style.pair}>
            <SelectField label="Environment" name="environment" defaultValue={environment}>
              <option value="live">Live</option>
              <option value="test">Test</option>
            </SelectField>
            <ExpiryFields chosen={expiry} onChoose={setExpiry} />
          </div>
          <Choice legend="Permissions" options={PRESETS} chosen={preset} onChoose={choose} />
          {preset === 'custom' && (
            <ScopeFields
              scopes={scopes}
              onToggle={(scope) => setScopes((before) => before.symmetricDifference(new Set([scope])))}
            />
          )}
          {create.error && <Failure error={create.error} />}
          <DialogActions>
            <Cancel />
            <Button look="primary" type="submit" busy={create.isPending} disabled={scopes.size === 0}>
              Create the key
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  );
}
