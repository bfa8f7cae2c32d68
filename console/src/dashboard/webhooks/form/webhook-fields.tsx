import type { Webhook } from '@svc/sdk';
import { type ReactNode, useState } from 'react';
import { Cancel, DialogActions } from '../../../ui/dialogs/dialog';
import { Button } from '../../../ui/forms/button';
import { CheckField, SelectField, TextField } from '../../../ui/forms/fields/field';
import { Form } from '../../../ui/forms/form';
import { Stack } from '../../../ui/layout/stack';
import { OUTCOMES } from '../labels';
import { EventChoice } from './event-choice';
import type { Patterns } from './patterns';

const FIELDS = ['url', 'outcome', 'ordered', 'description'] as const;

export type WebhookInput = Pick<Webhook, 'url' | 'events' | 'outcome' | 'ordered' | 'description'>;

/** The form of a new webhook, or of one that is edited. */
export function WebhookForm({
  webhook,
  error,
  failure,
  action,
  busy,
  onSend,
}: {
  /** Default: a new webhook. */
  readonly webhook?: WebhookInput;
  readonly error: unknown;
  /** What the form shows of an error that belongs to no field. */
  readonly failure: ReactNode;
  readonly action: string;
  readonly busy: boolean;
  readonly onSend: (input: WebhookInput) => void;
}) {
  const [events, setEvents] = useState<Patterns>(webhook?.events ?? ['*']);
  return (
    <Form
      names={FIELDS}
      error={error}
      onSend={({ url, outcome, ordered, description }) =>
        onSend({
          url: url.trim(),
          events,
          outcome: outcome as WebhookInput['outcome'],
          ordered: ordered !== '',
          description: description.trim() === '' ? null : description.trim(),
        })
      }
    >
      <Stack>
        <TextField
          label="URL"
          name="url"
          hint="Events are sent to this address by POST. It must be public and use HTTPS."
          placeholder="https://example.com/hooks"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={webhook?.url}
          required
        />
        <EventChoice patterns={events} onChange={setEvents} />
        <SelectField
          label="Outcome"
          name="outcome"
          hint="A failure is, for example, a proof that was not accepted."
          defaultValue={webhook?.outcome ?? 'success'}
        >
          {Object.entries(OUTCOMES).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </SelectField>
        <CheckField
          label="Strictly in order"
          name="ordered"
          hint="Each event is sent only after the one before it was accepted, so one that fails delays all later events."
          defaultChecked={webhook?.ordered ?? false}
        />
        <TextField
          label="Description (optional)"
          name="description"
          defaultValue={webhook?.description ?? ''}
          maxLength={200}
        />
        {failure}
        <DialogActions>
          <Cancel />
          <Button look="primary" type="submit" busy={busy} disabled={events.length === 0}>
            {action}
          </Button>
        </DialogActions>
      </Stack>
    </Form>
  );
}
