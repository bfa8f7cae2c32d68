import { Eraser, Pencil, UserRoundCheck, UserRoundX } from 'lucide-react';
import { Button } from '../../ui/forms/button';
import { Download } from '../download';
import { Needs } from '../nouns/members/needs';
import type { ListedUser } from '../operations/api';
import { useEnvironment } from '../operations/environment';

/** What the dialogs of a person do. */
export type Task = 'edit' | 'status' | 'erase';

/** Nothing about an erased person can be changed, but what is left of them can be exported. */
export function PersonActions({
  user: { id, status, erasedAt },
  onStart,
}: {
  readonly user: ListedUser;
  readonly onStart: (task: Task) => void;
}) {
  const environment = useEnvironment();
  const download = (
    <Download href={`/v1/users/${encodeURIComponent(id)}/export?environment=${environment}`}>Export</Download>
  );
  if (erasedAt !== null) return download;
  const [verb, Icon] =
    status === 'active' ? (['Deactivate', UserRoundX] as const) : (['Activate', UserRoundCheck] as const);
  return (
    <>
      <Needs least="developer">
        <Button onClick={() => onStart('edit')}>
          <Pencil size={16} aria-hidden="true" />
          Edit
        </Button>
      </Needs>
      {/* Letting somebody back in needs more than sending them away. */}
      <Needs least={status === 'active' ? 'reception' : 'developer'}>
        <Button onClick={() => onStart('status')}>
          <Icon size={16} aria-hidden="true" />
          {verb}
        </Button>
      </Needs>
      {download}
      <Needs least="owner">
        <Button look="danger" onClick={() => onStart('erase')}>
          <Eraser size={16} aria-hidden="true" />
          Erase
        </Button>
      </Needs>
    </>
  );
}
