import type { NamedCorrection } from '@svc/sdk';
import { StatusTag, type Tone } from '../../../ui/layout/surface';
import { onFirstUse } from '../../../ui/on-first-use';
import { useRights } from '../../nouns/members/rights';
import { pages } from '../../operations/operation';
import { listOf } from '../../records/lists/list-of';
import { t } from '../language/strings';
import { Changes } from '../parts/changes';
import { PersonIn } from './correction-text';
import { RecordAsserted } from './record-asserted';

const TONES: Readonly<Record<NamedCorrection['state'], Tone>> = {
  ...{ proposed: 'plain', agreed: 'good', contested: 'bad', unanswered: 'warn', withdrawn: 'plain' },
};

interface Props {
  readonly siteId?: string;
  readonly timeZone: string;
}

/** What the company contested itself is not what it says. */
const canBeRecorded = ({ state, proposedBy, recordedAt }: NamedCorrection): boolean =>
  recordedAt === null && (state === 'unanswered' || (state === 'contested' && proposedBy === 'member'));

/** All corrections, newest first. */
const listInLanguage = onFirstUse(() =>
  listOf({
    title: t.corrections.all,
    place: 'section',
    filters: { state: { label: t.corrections.columns.state, options: t.corrections.states } },
    read: ({ environment, state }, { siteId }: Props) =>
      pages('listCorrections', { query: { environment, siteId, state, include: 'names' } }),
    useParts: (_, { timeZone }: Props) => {
      const { hours } = useRights();
      return {
        columns: [
          { name: t.corrections.columns.person, cell: (correction) => <PersonIn of={correction} /> },
          {
            name: t.corrections.columns.changes,
            cell: ({ changes }) => <Changes of={changes} timeZone={timeZone} />,
          },
          { name: t.corrections.columns.cause, minor: true, cell: ({ cause }) => t.causes[cause] },
          {
            name: t.corrections.columns.state,
            short: true,
            narrow: 'state',
            cell: ({ state }) => <StatusTag tone={TONES[state]}>{t.corrections.states[state]}</StatusTag>,
          },
          {
            name: t.corrections.columns.actions,
            short: true,
            narrow: 'actions',
            cell: (correction) => hours && canBeRecorded(correction) && <RecordAsserted id={correction.id} />,
          },
        ],
      };
    },
    empty: {
      title: t.corrections.empty,
      text: t.corrections.emptyText,
    },
  }),
);

export function AllCorrections(props: Props) {
  const List = listInLanguage();
  return <List {...props} />;
}
