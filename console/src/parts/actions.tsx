import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Confirm } from '../ui/dialogs/confirm';
import { Cancel, Dialog, DialogActions } from '../ui/dialogs/dialog';
import { Button, ButtonAnchor } from '../ui/forms/button';
import { ButtonLink } from '../ui/forms/button-link';
import { CopyButton, CopyIcon } from '../ui/forms/copy';
import { Menu } from '../ui/forms/menu';
import { Row } from '../ui/layout/stack';
import { OUTAGE } from './failures';
import style from './parts.module.css';
import { Group, Shown } from './shown';

const LOOKS = ['primary', 'plain', 'quiet', 'danger'] as const;

export const Actions = () => (
  <Group title="Actions">
    <Buttons />
    <div className={style.large}>
      <Buttons where=", on the phone" />
    </div>
    <Shown as="Links that look like buttons">
      <Row>
        <ButtonLink to="/">In the dashboard</ButtonLink>
        <ButtonAnchor href="#parts">Elsewhere</ButtonAnchor>
      </Row>
    </Shown>
    <Shown as="Copy">
      <Row>
        <CopyButton text="svc_test_1" />
        <CopyIcon text="svc_test_1" label="Copy the key" />
      </Row>
    </Shown>
    <Shown as="Menu">
      <Row>
        <Menu
          label="Actions for Lobby kiosk"
          items={[
            { name: 'Edit', onSelect: () => {} },
            { name: 'Revoke', danger: true, onSelect: () => {} },
          ]}
        />
      </Row>
    </Shown>
    <Dialogs />
  </Group>
);

const Buttons = ({ where = '' }: { readonly where?: string }) =>
  LOOKS.map((look) => (
    <Shown key={look} as={`Button: ${look}${where}`}>
      <Row>
        <Button look={look}>Save</Button>
        <Button look={look}>
          <Plus size={16} aria-hidden="true" />
          With an icon
        </Button>
        <Button look={look} small>
          Small
        </Button>
        <Button look={look} busy>
          Busy
        </Button>
        <Button look={look} disabled>
          Disabled
        </Button>
      </Row>
    </Shown>
  ));

function Dialogs() {
  const [open, setOpen] = useState<'dialog' | 'confirm' | 'failed'>();
  const close = () => setOpen(undefined);
  return (
    <Shown as="Dialogs">
      <Row>
        <Button onClick={() => setOpen('dialog')}>Dialog</Button>
        <Button onClick={() => setOpen('confirm')}>Confirmation</Button>
        <Button onClick={() => setOpen('failed')}>Failed confirmation</Button>
      </Row>
      {open === 'dialog' && (
        <Dialog title="Add a device" onClose={close}>
          <p>A dialog keeps the page behind it.</p>
          <DialogActions>
            <Cancel />
            <Button look="primary" onClick={close}>
              Add
            </Button>
          </DialogActions>
        </Dialog>
      )}
      {(open === 'confirm' || open === 'failed') && (
        <Confirm
          title="Revoke this identity?"
          action="Revoke the identity"
          busy={false}
          error={open === 'failed' ? OUTAGE : null}
          onConfirm={close}
          onClose={close}
        >
          This can’t be undone.
        </Confirm>
      )}
    </Shown>
  );
}
