import type { Operations } from '@svc/sdk';
import { StatusTag, type Tone } from '../../ui/layout/surface';
import { type Column, RecordTable } from '../../ui/lists/list';
import { Time } from '../../ui/lists/time';
import { ENVIRONMENTS } from '../operations/environment';

type Call = Operations['consoleGetUsage']['reply']['recentCalls'][number];

const toneOf = (status: number): Tone => (status < 400 ? 'good' : status < 500 ? 'warn' : 'bad');

const COLUMNS: readonly Column<Call & { readonly id: string }>[] = [
  { name: 'Time', short: true, cell: ({ timestamp }) => <Time at={timestamp} /> },
  {
    name: 'Call',
    cell: ({ method, endpoint }) => (
      <code>
        {method} {endpoint}
      </code>
    ),
  },
  { name: 'Environment', short: true, cell: ({ environment }) => ENVIRONMENTS[environment] },
  { name: 'Duration', short: true, cell: ({ durationMs }) => `${durationMs} ms` },
  {
    name: 'Status',
    short: true,
    cell: ({ status }) => <StatusTag tone={toneOf(status)}>{status}</StatusTag>,
  },
];

/** The most recent calls. The service stores only the last 50. */
export const Calls = ({ calls }: { readonly calls: readonly Call[] }) =>
  calls.length === 0 ? (
    <p>No calls yet.</p>
  ) : (
    <RecordTable
      name="Last calls"
      items={calls.map((call, at) => ({ ...call, id: `${call.timestamp} ${at}` }))}
      columns={COLUMNS}
    />
  );
