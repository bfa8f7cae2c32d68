import type { Webhook, WebhookReplayParams } from '@svc/sdk';
import { Cancel, Dialog, DialogActions } from '../../../ui/dialogs/dialog';
import { Failure } from '../../../ui/failure';
import { useToast } from '../../../ui/floating/toasts';
import { Button } from '../../../ui/forms/button';
import { TextField } from '../../../ui/forms/fields/field';
import { Form } from '../../../ui/forms/form';
import { Stack } from '../../../ui/layout/stack';
import { useSend } from '../../operations/send';

/** Sends past events again. */
export function useReplay({ id, status }: Webhook, onDone?: () => void) {
  const toast = useToast();
  const replay = useSend('replayWebhook', {
    onSuccess: ({ replay: { fromSeq, toSeq } }) => {
      const events = fromSeq === toSeq ? `Event ${fromSeq} is` : `Events ${fromSeq} to ${toSeq} are`;
      toast(`${events} sent again${status === 'active' ? '' : ' when deliveries are on'}`);
      onDone?.();
    },
  });
  return { ...replay, send: (body: WebhookReplayParams) => replay.mutate({ path: { id }, body }) };
}

const FIELDS = ['fromSeq', 'toSeq'] as const;

export function SendAgain({ webhook, onClose }: { readonly webhook: Webhook; readonly onClose: () => void }) {
  const replay = useReplay(webhook, onClose);
  return (
    <Dialog title="Send events again" busy={replay.isPending} onClose={onClose}>
      <Form
        names={FIELDS}
        error={replay.error}
        onSend={({ fromSeq, toSeq }) =>
          replay.send({ fromSeq: Number(fromSeq), ...(toSeq !== '' && { toSeq: Number(toSeq) }) })
        }
      >
        <Stack>
          <p>
            Events that this webhook selects are sent again with the same <code>webhook-id</code>, so that a
            receiver recognizes those that it already has. The audit log shows the number of each event.
          </p>
          <TextField label="From event" name="fromSeq" type="number" min={1} inputMode="numeric" required />
          <TextField
            label="To event (optional)"
            name="toSeq"
            type="number"
            min={1}
            inputMode="numeric"
            hint={`Default: ${webhook.cursor}, the last event that was examined.`}
          />
          {replay.error && <Failure error={replay.error} />}
          <DialogActions>
            <Cancel />
            <Button look="primary" type="submit" busy={replay.isPending}>
              Send again
            </Button>
          </DialogActions>
        </Stack>
      </Form>
    </Dialog>
  );
}
