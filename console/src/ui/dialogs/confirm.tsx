import type { ReactNode } from 'react';
import { Failure } from '../failure';
import { Button } from '../forms/button';
import { Cancel, Dialog, DialogActions } from './dialog';

export const Confirm = ({
  title,
  action,
  busy,
  error,
  onConfirm,
  onClose,
  look = 'danger',
  children,
}: {
  readonly title: ReactNode;
  readonly action: string;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** `primary` for actions that can be undone. */
  readonly look?: 'danger' | 'primary' | undefined;
  readonly children: ReactNode;
}) => (
  <Dialog title={title} busy={busy} onClose={onClose}>
    <p>{children}</p>
    {error !== null && error !== undefined && <Failure error={error} />}
    <DialogActions>
      <Cancel />
      <Button look={look} busy={busy} onClick={onConfirm}>
        {action}
      </Button>
    </DialogActions>
  </Dialog>
);
