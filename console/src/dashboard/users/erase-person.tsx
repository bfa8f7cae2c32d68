import { Check, X } from 'lucide-react';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Cancel, Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { CheckField, SelectField, TextField } from '../../ui/forms/fields/field';
import { Stack } from '../../ui/layout/stack';
import { Rows } from '../../ui/lists/rows';
import { Text } from '../../ui/lists/value';
import { onFirstUse } from '../../ui/on-first-use';
import { PERSON_FIELDS } from '../nouns/person/person-fields';
import type { ListedUser } from '../operations/api';
import { useSend } from '../operations/send';
import style from './erase-person.module.css';
import { isTyped } from './typed-name';

const REASONS = {
  request: 'The person asked for it',
  retention: 'The data is no longer needed',
  error: 'The person was added by mistake',
} as const;
type Reason = keyof typeof REASONS;

/** Erases a person, when their name was typed. */
export function ErasePerson({ user, onClose }: { readonly user: ListedUser; readonly onClose: () => void }) {
  // The name is gone from the record before the dialog is closed.
  const [name] = useState(user.fullName);
  const [typed, setTyped] = useState('');
  const [keepsText, setKeepsText] = useState(false);
  const [reason, setReason] = useState<Reason>('request');
  const isConfirmed = isTyped(typed, name);
  // Closes last, because the buttons of the record are gone when the dialog returns the focus.
  const erase = useSend('eraseUser', { done: 'Person erased', onReloaded: onClose });
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (isConfirmed)
      erase.mutate({ path: { userId: user.id }, body: { reason, events: keepsText ? 'keep' : 'strip' } });
  };
  return (
    <Dialog
      title={
        <>
          Erase “<Text of={name} />
          ”?
        </>
      }
      busy={erase.isPending}
      onClose={onClose}
    >
      <form onSubmit={send}>
        <Stack>
          <p>This can’t be undone. Export the person first if somebody may need the data.</p>
          <Consequences keepsText={keepsText} />
          <CheckField
            label="Keep the text of events"
            hint="References, reasons and metadata of verifications and attendance. Keep them only if they say nothing personal."
            checked={keepsText}
            onChange={({ target }) => setKeepsText(target.checked)}
          />
          <SelectField
            label="Reason, for the audit log"
            value={reason}
            onChange={({ target }) => setReason(target.value as Reason)}
          >
            {Object.entries(REASONS).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </SelectField>
          <TextField
            label="Name of the person"
            hint={
              <>
                Type{' '}
                <strong>
                  <Text of={name} />
                </strong>{' '}
                to confirm.
              </>
            }
            value={typed}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setTyped(target.value)}
          />
          {erase.error && <Failure error={erase.error} />}
          <DialogActions>
            <Cancel />
            <Button look="danger" type="submit" disabled={!isConfirmed} busy={erase.isPending}>
              Erase the person
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  );
}

/** What is known of a person, in a sentence. */
const whatIsKnown = onFirstUse(() => {
  const labels = Object.values(PERSON_FIELDS).map(
    ({ label }) => label.charAt(0).toLowerCase() + label.slice(1),
  );
  return `The ${new Intl.ListFormat('en-GB').format([...labels, 'metadata'])}`;
});
const TEXT = 'The text of verifications and attendance';

const Consequences = ({ keepsText }: { readonly keepsText: boolean }) => (
  <div className={style.consequences}>
    <List title="What goes" icon={<X size={16} aria-hidden="true" />}>
      {[
        whatIsKnown(),
        'Phones and their keys',
        'Sessions and sign-ins',
        'Registrations',
        ...(keepsText ? [] : [TEXT]),
      ]}
    </List>
    <List title="What stays" icon={<Check size={16} aria-hidden="true" />}>
      {[
        'IDs and results of events',
        ...(keepsText ? [TEXT] : []),
        'The audit log, which has no names',
        'Hashes on the blockchain',
        'Copies that were exported or sent before',
      ]}
    </List>
  </div>
);

function List({
  title,
  icon,
  children,
}: {
  readonly title: string;
  readonly icon: ReactNode;
  readonly children: readonly string[];
}) {
  const id = useId();
  return (
    <section>
      <h3 id={id}>{title}</h3>
      <Rows aria-labelledby={id}>
        {children.map((text) => (
          <li key={text} className={style.item}>
            {icon}
            <span className={style.text}>{text}</span>
          </li>
        ))}
      </Rows>
    </section>
  );
}
