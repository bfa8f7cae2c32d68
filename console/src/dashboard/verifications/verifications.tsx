import type { Verification } from '@svc/sdk';
import { useState } from 'react';
import { Page } from '../../ui/layout/surface';
import { emptyOf, FilterBar, useFilters } from '../../ui/lists/filters';
import { type Column, Opener, RecordList } from '../../ui/lists/list';
import { Time } from '../../ui/lists/time';
import { svc, useList } from '../api';
import { useEnvironment } from '../environment';
import { Named } from '../named';
import { type Names, useNamesOfPeople } from '../names';
import { VerificationDetails } from './verification-details';
import { METHODS, RESULTS, VerificationResult } from './verification-result';

const FILTERS = {
  method: { label: 'Method', options: METHODS },
  result: { label: 'Result', options: RESULTS },
} as const;

export function Verifications() {
  const environment = useEnvironment();
  const chosen = useFilters(FILTERS);
  const list = useList(['verifications', environment, chosen], async (cursor, signal) => {
    const query = { environment, ...chosen, cursor };
    const { verifications, nextCursor } = await svc.request(
      'consoleListVerifications',
      { query },
      { signal },
    );
    return { items: verifications, nextCursor };
  });
  const people = useNamesOfPeople(environment);
  const [shown, setShown] = useState<Verification>();
  return (
    <Page title="Verifications">
      <FilterBar filters={FILTERS} />
      <RecordList
        name="Verifications"
        query={list}
        columns={columns(people, setShown)}
        empty={emptyOf(chosen, {
          title: 'No verifications yet',
          text: 'Every proof from a sign-in is recorded here, valid or not. The proof that completes a registration appears under Registrations instead.',
        })}
      />
      {shown && <VerificationDetails verification={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}

const columns = (
  people: Names,
  open: (verification: Verification) => void,
): readonly Column<Verification>[] => [
  {
    name: 'When',
    short: true,
    cell: (verification) => (
      <Opener onOpen={() => open(verification)}>
        <Time at={verification.occurredAt} />
      </Opener>
    ),
  },
  { name: 'Person', cell: ({ userId }) => <Named id={userId} names={people} /> },
  { name: 'Method', short: true, cell: ({ method }) => METHODS[method] },
  {
    name: 'Confidence',
    short: true,
    cell: ({ confidenceScore }) => (confidenceScore === null ? '' : `${confidenceScore} %`),
  },
  { name: 'Result', short: true, cell: ({ result }) => <VerificationResult of={result} /> },
];
