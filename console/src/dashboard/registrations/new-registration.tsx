import { useState } from 'react';
import { Cancel, Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { TextArea, TextField } from '../../ui/forms/field';
import { Form } from '../../ui/forms/form';
import { Stack } from '../../ui/layout/surface';
import { type Profile, useStartRegistration } from './ceremony';

const FIELDS = ['fullName', 'externalId', 'more'] as const;

export function NewRegistration({ onClose }: { readonly onClose: () => void }) {
  const open = useStartRegistration();
  const [fault, setFault] = useState<string>();
  const send = ({ fullName, externalId, more: text }: Record<(typeof FIELDS)[number], string>) => {
    const more = readMore(text.trim());
    setFault(more === undefined ? 'Enter a JSON object, for example {"team": "A"}.' : undefined);
    if (more === undefined) return;
    open.mutate({ ...more, fullName, ...(externalId.trim() && { externalId: externalId.trim() }) });
  };
  // Stays busy until the next page is displayed, because its script may still be loading.
  const isBusy = open.isPending || open.isSuccess;
  return (
    <Dialog title="Register a person" busy={isBusy} onClose={onClose}>
      <Form names={FIELDS} error={open.error} onSend={send}>
        <Stack>
          <TextField
            label="Full name"
            name="fullName"
            maxLength={200}
            autoComplete="off"
            required
            autoFocus
          />
          <TextField
            label="External ID"
            name="externalId"
            hint="Optional. The person’s ID in your own systems."
            maxLength={200}
            autoComplete="off"
          />
          <TextArea
            label="More profile data"
            name="more"
            rows={3}
            hint={
              <>
                Optional. A JSON object. <code>email</code>, <code>phone</code> and <code>employeeCode</code>{' '}
                become fields of the person. Other fields are stored as metadata.
              </>
            }
            error={fault}
            spellCheck={false}
          />
          {open.error && <Failure error={open.error} />}
          <DialogActions>
            <Cancel />
            <Button look="primary" type="submit" busy={isBusy}>
              Start registration
            </Button>
          </DialogActions>
        </Stack>
      </Form>
    </Dialog>
  );
}

/** Parses the additional profile data. Returns undefined if it is not a JSON object. */
function readMore(text: string): Profile | undefined {
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Profile)
      : undefined;
  } catch {
    return undefined;
  }
}
