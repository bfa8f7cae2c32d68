import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Scan } from '../../ui/codes/scan';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Cancel, Dialog, DialogActions } from '../../ui/forms/dialog';
import { TextField } from '../../ui/forms/field';
import { Form } from '../../ui/forms/form';
import { useSending } from '../../ui/forms/use-sending';
import { Notice, Stack } from '../../ui/layout/surface';
import { Text } from '../../ui/lists/value';
import { KEYS, svc } from '../api';
import { useEnvironment } from '../environment';
import { useAccount } from '../session';
import { useShownOnce } from '../shown-once';

/** Creates a key that can only sign desktops in, and shows it as a code for the phone. */
export function LinkPhone({ onClose }: { readonly onClose: () => void }) {
  const environment = useEnvironment();
  const queries = useQueryClient();
  const { data: account } = useAccount();
  const link = useSending({
    mutationFn: async (named: { name: string }) => {
      const { id, companyName } = (account ?? (await svc.console.getAccount())).tenant;
      const { key, name } = await svc.console.keys.create({
        ...named,
        environment,
        scopes: ['proof_pairing:claim'],
      });
      return { name, address: `/phone/#link=${key}&tenant=${id}&name=${encodeURIComponent(companyName)}` };
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: KEYS }),
  });
  if (link.data) return <Linked {...link.data} onClose={onClose} />;
  return (
    <Dialog title="Link a phone" busy={link.isPending} onClose={onClose}>
      <Form names={['name']} error={link.error} onSend={(values) => link.mutate(values)}>
        <Stack>
          <p>
            A phone needs a key from your account to sign desktops in. This creates a key that can do nothing
            else, for the {environment} environment, and shows it as a code.
          </p>
          <TextField
            label="Whose phone"
            name="name"
            hint="The key appears under this name in your API keys, where you can revoke it."
            maxLength={100}
            autoComplete="off"
            required
            autoFocus
          />
          {link.error && <Failure error={link.error} />}
          <DialogActions>
            <Cancel />
            <Button look="primary" type="submit" busy={link.isPending}>
              Create the code
            </Button>
          </DialogActions>
        </Stack>
      </Form>
    </Dialog>
  );
}

/** The code contains the key and can't be shown again. */
function Linked({
  name,
  address,
  onClose,
}: {
  readonly name: string;
  readonly address: string;
  readonly onClose: () => void;
}) {
  useShownOnce();
  return (
    <Dialog title="Scan this with the phone" onClose={onClose}>
      <Scan text={location.origin + address} label="Code that links a phone" address={address} />
      <Notice tone="warn">
        The code contains a key and is shown only now. A phone that scans it can sign in only as people
        registered on that phone.
      </Notice>
      <p>
        If the phone is lost or given away, revoke “<Text of={name} />” under{' '}
        <Link to="/account/keys">API keys</Link>. The phone’s requests are then rejected immediately.
      </p>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
