import { emptyOf } from '../../ui/lists/empty';
import { FilterBar } from '../../ui/lists/filters';
import type { Column } from '../../ui/lists/list';
import { Time } from '../../ui/lists/time';
import { type ListedVerification, useRecords } from '../api';
import { Export } from '../download';
import { useListQuery, useReferences } from '../records/list-query';
import { LISTS } from '../records/lists';
import { RecordsPage } from '../records/records-page';
import { Name } from '../records/reference';
import { ReferenceFilters } from '../records/reference-filters';
import { METHODS, RESULTS, VerificationResult } from './verification-result';

const FILTERS = {
  method: { label: 'Method', options: METHODS },
  result: { label: 'Result', options: RESULTS },
} as const;

export function Verifications() {
  const query = { ...useListQuery(FILTERS), ...useReferences() };
  return (
    <RecordsPage
      title="Verifications"
      page="verifications"
      actions={<Export list="verifications" query={query} />}
      filters={
        <FilterBar filters={FILTERS} search="Reference" byTime>
          <ReferenceFilters />
        </FilterBar>
      }
      list={useRecords(LISTS.verifications(query))}
      columns={COLUMNS}
      empty={emptyOf(query, {
        title: 'No verifications yet',
        text: 'Every proof from a sign-in is recorded here, valid or not. The proof that completes a registration appears under Registrations instead.',
      })}
    />
  );
}

const COLUMNS: readonly Column<ListedVerification>[] = [
  { name: 'Time', short: true, sorts: true, cell: (verification) => <Time at={verification.occurredAt} /> },
  { name: 'Person', cell: ({ userId, userName }) => <Name id={userId} name={userName} /> },
  { name: 'Device', cell: ({ deviceId, deviceName }) => <Name id={deviceId} name={deviceName} /> },
  { name: 'Method', short: true, minor: true, cell: ({ method }) => METHODS[method] },
  {
    name: 'Confidence',
    short: true,
    minor: true,
    cell: ({ confidenceScore }) => (confidenceScore === null ? '' : `${confidenceScore} %`),
  },
  { name: 'Result', short: true, cell: ({ result }) => <VerificationResult of={result} /> },
];
