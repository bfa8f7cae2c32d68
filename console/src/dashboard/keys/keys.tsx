import type { ApiKey } from '@svc/sdk';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Menu } from '../../ui/forms/menu';
import { Page, StatusTag, type Tone } from '../../ui/layout/surface';
import { type Column, RecordList } from '../../ui/lists/list';
import { Time } from '../../ui/lists/time';
import { KEYS, svc, useList } from '../api';
import { NewKey } from './new-key';
import { RevokeKey } from './revoke-key';

const TONES: Readonly<Record<ApiKey['status'], Tone>> = { active: 'good', revoked: 'bad', expired: 'warn' };

export function Keys() {
  const list = useList(KEYS, async (cursor, signal) => {
    const { keys, nextCursor } = await svc.console.keys.list({ cursor }, { signal });
    return { items: keys, nextCursor };
  });
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      <KeyRound size={18} aria-hidden="true" />
      New key
    </Button>
  );
  return (
    <Page
      title="API keys"
      about="Your programs send a key with every request. A key belongs to one environment, and its scopes limit what it can do. You can have ten active keys."
      actions={create}
    >
      <RecordList
        name="API keys"
        query={list}
        columns={columns(setRevoking)}
        empty={{
          title: 'No keys',
          text: 'Your programs need a key to call the API.',
          action: create,
        }}
      />
      {creating && <NewKey onClose={() => setCreating(false)} />}
      {revoking && <RevokeKey apiKey={revoking} onClose={() => setRevoking(undefined)} />}
    </Page>
  );
}

const columns = (revoke: (key: ApiKey) => void): readonly Column<ApiKey>[] => [
  { name: 'Name', cell: (key) => key.name },
  { name: 'Key', short: true, cell: (key) => <code>{key.prefix}…</code> },
  { name: 'Environment', short: true, cell: (key) => key.environment },
  {
    name: 'Scopes',
    short: true,
    cell: (key) => <span title={key.scopes.join('\n')}>{key.scopes.length}</span>,
  },
  { name: 'Last used', short: true, cell: (key) => <Time at={key.lastUsedAt} /> },
  {
    name: 'Status',
    short: true,
    cell: (key) => <StatusTag tone={TONES[key.status]}>{key.status}</StatusTag>,
  },
  {
    name: 'Actions',
    short: true,
    cell: (key) =>
      key.status === 'active' && (
        <Menu
          label={`Actions for ${key.name}`}
          items={[{ name: 'Revoke', danger: true, onSelect: () => revoke(key) }]}
        />
      ),
  },
];
