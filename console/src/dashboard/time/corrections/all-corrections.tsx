import type { Correction } from '@svc/sdk';
import { StatusTag, type Tone } from '../../../ui/layout/surface';
import { useRights } from '../../nouns/members/rights';
import { pages } from '../../operations/operation';
import { listOf } from '../../records/lists/list-of';
import { CAUSES } from '../parts/acts';
import { Changes } from '../parts/changes';
import { PersonOf } from '../parts/person-of';
import { RecordAsserted } from './record-asserted';

const STATES = {
  proposed: 'Waiting',
  agreed: 'Agreed',
  contested: 'Contested',
  unanswered: 'Unanswered',
  withdrawn: 'Withdrawn',
} as const;
const TONES: Readonly<Record<keyof typeof STATES, Tone>> = {
  ...{ proposed: 'plain', agreed: 'good', contested: 'bad', unanswered: 'warn', withdrawn: 'plain' },
};

interface Props {
  readonly siteId?: string;
  readonly timeZone: string;
}

/** What the company contested itself is not what it says. */
const canBeRecorded = ({ state, proposedBy }: Correction): boolean =>
  state === 'unanswered' || (state === 'contested' && proposedBy === 'member');

/** All corrections, newest first. */
export const AllCorrections = listOf({
  title: 'All corrections',
  place: 'section',
  filters: { state: { label: 'State', options: STATES } },
  read: ({ environment, state }, { siteId }: Props) =>
    pages('listCorrections', { query: { environment, siteId, state } }),
  useParts: (_, { timeZone }: Props) => {
    const { hours } = useRights();
    return {
      columns: [
        { name: 'Person', cell: ({ userId }) => <PersonOf id={userId} /> },
        { name: 'Changes', cell: ({ changes }) => <Changes of={changes} timeZone={timeZone} /> },
        { name: 'Cause', minor: true, cell: ({ cause }) => CAUSES[cause] },
        {
          name: 'State',
          short: true,
          narrow: 'state',
          cell: ({ state }) => <StatusTag tone={TONES[state]}>{STATES[state]}</StatusTag>,
        },
        {
          name: 'Actions',
          short: true,
          narrow: 'actions',
          cell: (correction) => hours && canBeRecorded(correction) && <RecordAsserted id={correction.id} />,
        },
      ],
    };
  },
  empty: {
    title: 'No corrections',
    text: 'People propose them on their phones, and you on the page of a person’s month.',
  },
});
