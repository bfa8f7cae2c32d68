import { BY_TIME } from '../../ui/lists/column';
import { Text } from '../../ui/lists/value';
import { failureIn } from '../nouns/outcomes/failures';
import { METHODS, RESULTS, VerificationResult } from '../nouns/outcomes/verification-result';
import { Name } from '../nouns/reference';
import { listOf } from '../records/lists/list-of';
import { LISTS } from '../records/lists/lists';
import { OwnFilters, useOwnFilters } from './own-filters';
import { OutcomesPicture } from './picture';

export const Verifications = listOf({
  title: 'Verifications',
  records: 'verifications',
  filters: { method: { label: 'Method', options: METHODS }, result: { label: 'Result', options: RESULTS } },
  search: 'Reference',
  byTime: true,
  sorts: ['oldest'],
  useMore: useOwnFilters,
  More: OwnFilters,
  csv: 'verifications',
  read: LISTS.verifications,
  // A person’s or a device’s verifications are not those of the picture.
  useParts: ({ userId, deviceId, q }) => ({
    above: !userId && !deviceId && !q && <OutcomesPicture />,
  }),
  columns: [
    { name: 'Person', cell: ({ userId, userName }) => <Name id={userId} name={userName} /> },
    {
      name: 'Device',
      narrow: 'fact',
      cell: ({ deviceId, deviceName }) => <Name id={deviceId} name={deviceName} />,
    },
    { name: 'Method', short: true, minor: true, cell: ({ method }) => METHODS[method] },
    {
      name: 'Confidence',
      short: true,
      minor: true,
      cell: ({ confidenceScore }) => (confidenceScore === null ? '' : `${confidenceScore} %`),
    },
    {
      name: 'Reason',
      narrow: 'fact',
      cell: (verification) =>
        failureIn(verification)?.name ?? (verification.reason && <Text of={verification.reason} />),
    },
    {
      name: 'Result',
      short: true,
      narrow: 'state',
      cell: ({ result }) => <VerificationResult of={result} />,
    },
    { name: 'Time', short: true, narrow: 'time', sorts: BY_TIME, at: ({ occurredAt }) => occurredAt },
  ],
  empty: {
    title: 'No verifications yet',
    text: 'Every proof from a sign-in is recorded here, valid or not. The proof that completes a registration appears under Registrations instead.',
  },
});
