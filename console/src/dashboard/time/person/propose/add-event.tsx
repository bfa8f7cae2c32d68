import { Plus } from 'lucide-react';
import { Button } from '../../../../ui/forms/button';
import { t } from '../../language/strings';
import { countOf, type Drafts, MAX_CHANGES } from './draft';

/** Adds an event that is missing. Most forget to clock out. */
export const AddEvent = ({
  date,
  drafts,
  onChange,
}: {
  readonly date: string;
  readonly drafts: Drafts;
  readonly onChange: (drafts: Drafts) => void;
}) => (
  <div>
    <Button
      small
      disabled={countOf(drafts) >= MAX_CHANGES}
      onClick={() => onChange({ ...drafts, added: [...drafts.added, { act: 'go', local: `${date}T17:00` }] })}
    >
      <Plus size={14} aria-hidden="true" />
      {t.propose.add}
    </Button>
  </div>
);
