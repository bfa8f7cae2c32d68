import type { AuditEvent } from '@svc/sdk';
import { Button } from '../../ui/forms/button';
import { Dialog, DialogActions } from '../../ui/forms/dialog';
import { Facts } from '../../ui/layout/surface';
import { Time } from '../../ui/lists/time';

export const EventDetail = ({
  event,
  onFilter,
  onClose,
}: {
  readonly event: AuditEvent;
  readonly onFilter: () => void;
  readonly onClose: () => void;
}) => (
  <Dialog title={`Entry ${event.seq}`} onClose={onClose}>
    <p>{event.summary}.</p>
    <Facts
      facts={[
        ['Action', <code key="action">{event.action}</code>],
        ['Outcome', event.status],
        ['When', <Time key="when" at={event.createdAt} />],
        ['By', <Named key="by" type={event.actorType} id={event.actorId} />],
        ['Record', <Named key="record" type={event.entityType} id={event.entityId} />],
        ...Object.entries(event.metadata).map(([name, value]) => [name, String(value)] as const),
        ['Entry ID', <code key="id">{event.id}</code>],
        ['Previous hash', <code key="before">{event.prevHash}</code>],
        ['Hash', <code key="hash">{event.hash}</code>],
      ]}
    />
    <DialogActions>
      <Button onClick={onFilter}>Filter by this action</Button>
      <Button look="primary" onClick={onClose}>
        Close
      </Button>
    </DialogActions>
  </Dialog>
);

const Named = ({ type, id }: { readonly type: string; readonly id: string | null }) => (
  <>
    {type.replaceAll('_', ' ')} {id && <code>{id}</code>}
  </>
);
