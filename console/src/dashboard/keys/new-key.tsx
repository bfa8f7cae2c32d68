import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useOutletContext } from 'react-router';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Cancel, Dialog, DialogActions } from '../../ui/forms/dialog';
import { CheckField, SelectField, TextField } from '../../ui/forms/field';
import { useSending } from '../../ui/forms/use-sending';
import { Text } from '../../ui/lists/value';
import { type Environment, KEYS, svc } from '../api';
import style from './new-key.module.css';
import { RawKey } from './raw-key';
import { DEFAULT_SCOPES, SCOPE_GROUPS, type Scope } from './scopes';

export function NewKey({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  /** The environment selected in the navigation. */
  const environment = useOutletContext<Environment>();
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(new Set(DEFAULT_SCOPES));
  const create = useSending({
    mutationFn: (form: FormData) =>
      svc.console.keys.create({
        name: String(form.get('name')),
        environment: form.get('environment') as Environment,
        scopes: [...scopes],
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEYS }),
  });
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.mutate(new FormData(event.currentTarget));
  };
  const toggle = (scope: Scope) => setScopes((before) => before.symmetricDifference(new Set([scope])));
  if (create.data)
    return (
      <Dialog
        title={
          <>
            Key “<Text of={create.data.name} />”
          </>
        }
        onClose={onClose}
      >
        <RawKey text={create.data.key} />
        <DialogActions>
          <Button look="primary" onClick={onClose}>
            I have stored it
          </Button>
        </DialogActions>
      </Dialog>
    );
  return (
    <Dialog title="New key" busy={create.isPending} onClose={onClose}>
      <form className={style.form} onSubmit={send}>
        <TextField
          label="Name"
          name="name"
          hint="Where the key is used, for example Front desk."
          maxLength={100}
          required
        />
        <SelectField
          label="Environment"
          name="environment"
          hint="Live and test data are separate."
          defaultValue={environment}
        >
          <option value="live">Live</option>
          <option value="test">Test</option>
        </SelectField>
        {SCOPE_GROUPS.map(([group, members]) => (
          <fieldset key={group} className={style.scopes}>
            <legend>{group}</legend>
            {members.map(([scope, allows]) => (
              <CheckField
                key={scope}
                label={scope}
                hint={allows}
                checked={scopes.has(scope)}
                onChange={() => toggle(scope)}
              />
            ))}
          </fieldset>
        ))}
        {create.error && <Failure error={create.error} />}
        <DialogActions>
          <Cancel />
          <Button look="primary" type="submit" busy={create.isPending} disabled={scopes.size === 0}>
            Create the key
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
