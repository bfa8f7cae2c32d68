import type { ApiKey } from '@svc/sdk';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Menu } from '../../ui/forms/menu';
import { Badge, Page, type Tone } from '../../ui/layout/surface';
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
      about="Your programs show a key with every request. Each belongs to one environment and may do what its scopes say. Ten may be active at once."
      actions={create}
    >
      <RecordList
        name="API keys"
        query={list}
        columns={columns(setRevoking)}
        empty={{
          title: 'No keys',
          text: 'Without a key no program can speak for your account.',
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
  { name: 'Status', short: true, cell: (key) => <Badge tone={TONES[key.status]}>{key.status}</Badge> },
  {
    name: 'Actions',
    short: true,
    cell: (key) =>
      key.status === 'active' && (
        <Menu
          label={`Actions of ${key.name}`}
          items={[{ name: 'Revoke', danger: true, onSelect: () => revoke(key) }]}
        />
      ),
  },
];
