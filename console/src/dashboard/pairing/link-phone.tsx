import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Button } from '../../ui/button';
import { Cancel, Dialog, DialogActions } from '../../ui/dialog';
import { Failure } from '../../ui/failure';
import { TextField } from '../../ui/field';
import { readForm } from '../../ui/form';
import { Scan } from '../../ui/scan';
import { Notice, Stack } from '../../ui/surface';
import { KEYS, svc } from '../api';
import { useEnvironment } from '../environment';
import { useAccount } from '../session';

/** A key that can do one thing, sign desktops in, handed to a phone by a code. */
export function LinkPhone({ onClose }: { readonly onClose: () => void }) {
  const environment = useEnvironment();
  const queries = useQueryClient();
  const { data: account } = useAccount();
  const link = useMutation({
    mutationFn: ({ name }: { name: string }) =>
      svc.console.keys.create({ name, environment, scopes: ['proof_pairing:claim'] }),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEYS }),
  });
  if (link.data && account) {
    const { id, companyName } = account.tenant;
    const address = `/phone/#link=${link.data.key}&tenant=${id}&name=${encodeURIComponent(companyName)}`;
    return (
      <Dialog title="Scan this with the phone" onClose={onClose}>
        <Scan text={location.origin + address} label="Code that links a phone" address={address} />
        <Notice tone="warn">
          The code holds a key and is shown this once. Whoever scans it can sign in as the people that are
          registered on their own phone, and can do nothing else.
        </Notice>
        <p>
          Lost or given away? Revoke “{link.data.name}” under <Link to="/account/keys">API keys</Link>: the
          phone is refused from that moment on.
        </p>
        <DialogActions>
          <Button look="primary" onClick={onClose}>
            The phone is linked
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Dialog title="Link a phone" busy={link.isPending} onClose={onClose}>
      <form onSubmit={readForm(['name'], (values) => link.mutate(values))}>
        <Stack>
          <p>
            A phone needs a key of your account to sign desktops in. This makes one that can do that alone, in
            the {environment} environment, and shows it as a code.
          </p>
          <TextField
            label="Whose phone"
            name="name"
            hint="Its name among your API keys, to revoke it by."
            maxLength={100}
            autoComplete="off"
            required
            autoFocus
          />
          {link.error && <Failure error={link.error} />}
          <DialogActions>
            <Cancel />
            <Button look="primary" type="submit" busy={link.isPending}>
              Make the code
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  );
}
