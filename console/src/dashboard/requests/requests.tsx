import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Notice, StatusTag, type Tone } from '../../ui/layout/surface';
import type { Column } from '../../ui/lists/list';
import { Id } from '../../ui/lists/value';
import { Live } from '../../ui/status/live';
import { useKeyNames } from '../nouns/use-key-names';
import { svc } from '../operations/api';
import { pages } from '../operations/operation';
import { listOf } from '../records/lists/list-of';
import { RejectedCalls } from './rejected-calls';
import { type LoggedRequest, useTail } from './use-tail';

type Row = LoggedRequest & { readonly id: string };

/** What an older version of the service logged has no ID. */
const toRow = (request: LoggedRequest): Row => ({
  ...request,
  id: request.requestId ?? `${request.timestamp} ${request.path}`,
});

export const Requests = listOf({
  title: 'Requests',
  filters: {
    status: {
      label: 'Status',
      options: { '2xx': 'Succeeded', '4xx': 'Client error (4xx)', '5xx': 'Server error (5xx)' },
    },
    method: { label: 'Method', options: { GET: 'GET', POST: 'POST', PATCH: 'PATCH', DELETE: 'DELETE' } },
  },
  read: (query) =>
    pages('consoleListRequests', { query }, async (cursor, signal) => {
      const request = { query: { ...query, cursor } };
      const { requests, nextCursor } = await svc.request('consoleListRequests', request, { signal });
      return { items: requests.map(toRow), nextCursor };
    }),
  useParts: (query) => {
    const [isLive, setLive] = useState(true);
    const { newer, isConnected, hasSkipped } = useTail(query, isLive);
    const Icon = isLive ? Pause : Play;
    return {
      columns: columns(useKeyNames()),
      above: <RejectedCalls isLive={isLive} />,
      newer: newer.map(toRow),
      actions: (
        <Button aria-pressed={isLive} onClick={() => setLive(!isLive)}>
          <Icon size={16} aria-hidden="true" />
          {isLive ? 'Pause' : 'Follow live'}
        </Button>
      ),
      note: (
        <>
          {isLive && (
            <Live isConnected={isConnected}>
              {isConnected ? 'Live: new requests appear here.' : 'Connecting …'}
            </Live>
          )}
          {hasSkipped && (
            <Notice tone="warn">More requests arrived than can be followed. Some are missing here.</Notice>
          )}
        </>
      ),
    };
  },
  empty: {
    title: 'No requests yet',
    text: 'The last 1,000 requests with your API keys appear here for 7 days. Bodies are never stored.',
  },
});

const toneOf = (status: number): Tone => (status < 400 ? 'good' : status < 500 ? 'warn' : 'bad');

const columns = (names: ReadonlyMap<string, string>): readonly Column<Row>[] => [
  {
    name: 'Request',
    cell: ({ method, path }) => (
      <code>
        {method} {path}
      </code>
    ),
  },
  {
    name: 'Status',
    short: true,
    narrow: 'state',
    cell: ({ status }) => <StatusTag tone={toneOf(status)}>{status}</StatusTag>,
  },
  {
    name: 'Error',
    narrow: 'fact',
    cell: ({ error }) =>
      error && (
        <a href={`/docs/errors#${error}`}>
          <code>{error}</code>
        </a>
      ),
  },
  { name: 'Duration', short: true, cell: ({ durationMs }) => `${durationMs} ms` },
  {
    name: 'Key',
    cell: ({ keyId }) => (keyId === null ? '' : (names.get(keyId) ?? <Id of={keyId} short />)),
  },
  { name: 'Request ID', short: true, cell: ({ requestId }) => <Id of={requestId} short /> },
  { name: 'Time', short: true, narrow: 'time', at: ({ timestamp }) => timestamp },
];
