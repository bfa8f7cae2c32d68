import { useState } from 'react';
import { Page } from '../../ui/layout/surface';
import { emptyOf, FilterBar, useFilters, useSearched } from '../../ui/lists/filters';
import { type Column, Opener, RecordList } from '../../ui/lists/list';
import { Time } from '../../ui/lists/time';
import { type ListedVerification, svc, useList } from '../api';
import { Export } from '../download';
import { useEnvironment } from '../environment';
import { Named } from '../named';
import { VerificationDetails } from './verification-details';
import { METHODS, RESULTS, VerificationResult } from './verification-result';

const FILTERS = {
  method: { label: 'Method', options: METHODS },
  result: { label: 'Result', options: RESULTS },
} as const;

export function Verifications() {
  const environment = useEnvironment();
  const chosen = useFilters(FILTERS);
  const query = { environment, ...chosen, ...useSearched() };
  const list = useList(['verifications', environment, query], async (cursor, signal) => {
    const { verifications: items, ...page } = await svc.request(
      'consoleListVerifications',
      { query: { ...query, cursor } },
      { signal },
    );
    return { items, ...page };
  });
  const [shown, setShown] = useState<ListedVerification>();
  return (
    <Page title="Verifications" actions={<Export list="verifications" query={query} />}>
      <FilterBar filters={FILTERS} search="Reference" />
      <RecordList
        name="Verifications"
        query={list}
        columns={columns(setShown)}
        empty={emptyOf(query, {
          title: 'No verifications yet',
          text: 'Every proof from a sign-in is recorded here, valid or not. The proof that completes a registration appears under Registrations instead.',
        })}
      />
      {shown && <VerificationDetails verification={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}

const columns = (open: (verification: ListedVerification) => void): readonly Column<ListedVerification>[] => [
  {
    name: 'When',
    short: true,
    cell: (verification) => (
      <Opener onOpen={() => open(verification)}>
        <Time at={verification.occurredAt} />
      </Opener>
    ),
  },
  { name: 'Person', cell: ({ userId, userName }) => <Named id={userId} name={userName} /> },
  { name: 'Device', cell: ({ deviceId, deviceName }) => <Named id={deviceId} name={deviceName} /> },
  { name: 'Method', short: true, cell: ({ method }) => METHODS[method] },
  {
    name: 'Confidence',
    short: true,
    cell: ({ confidenceScore }) => (confidenceScore === null ? '' : `${confidenceScore} %`),
  },
  { name: 'Result', short: true, cell: ({ result }) => <VerificationResult of={result} /> },
];
