import type { CreatedApiKey } from '@svc/sdk';
import { Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Button } from '../../ui/forms/button';
import { Text } from '../../ui/lists/value';
import { RawKey } from './raw-key';

/** A new key, which is shown only now. */
export const MadeKey = ({
  made,
  onClose,
}: {
  readonly made: CreatedApiKey;
  readonly onClose: () => void;
}) => (
  <Dialog
    title={
      <>
        Key “<Text of={made.name} />”
      </>
    }
    onClose={onClose}
  >
    <RawKey text={made.key} scopes={made.scopes} />
    <DialogActions>
      <Button look="primary" onClick={onClose}>
        I have stored it
      </Button>
    </DialogActions>
  </Dialog>
);
