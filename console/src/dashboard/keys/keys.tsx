import type { ApiKey } from '@svc/sdk';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Menu } from '../../ui/forms/menu';
import { StatusTag, type Tone } from '../../ui/layout/surface';
import type { Column } from '../../ui/lists/list';
import { Ago, Time } from '../../ui/lists/time';
import { Absent } from '../../ui/lists/value';
import { KEYS, listOptions, svc } from '../api';
import { listOf } from '../records/list-of';
import { isSoon } from './expiry';
import { NewKey } from './new-key';
import { RevokeKey } from './revoke-key';
import { ScopesOf } from './scopes-of';

const TONES: Readonly<Record<ApiKey['status'], Tone>> = { active: 'good', revoked: 'bad', expired: 'warn' };

export const Keys = listOf({
  title: 'API keys',
  read: () =>
    listOptions<ApiKey>(KEYS, async (cursor, signal) => {
      const { keys, nextCursor } = await svc.console.keys.list({ cursor }, { signal });
      return { items: keys, nextCursor };
    }),
  useParts: () => {
    const [revoking, setRevoking] = useState<ApiKey>();
    return {
      columns: columns(setRevoking),
      dialog: revoking && <RevokeKey apiKey={revoking} onClose={() => setRevoking(undefined)} />,
    };
  },
  add: { name: 'New key', icon: KeyRound, Dialog: NewKey },
  empty: {
    title: 'No keys',
    text: 'Send a key with every request. A key belongs to one environment, and its scopes limit what it can do.',
  },
});

/** The time stands out while the key still works but has to be replaced soon. */
const Expires = ({ of: { expiresAt, status } }: { readonly of: ApiKey }) => (
  <StatusTag
    tone={expiresAt !== null && status === 'active' && isSoon(expiresAt, svc.serverNow()) ? 'warn' : 'good'}
  >
    <Time at={expiresAt} />
  </StatusTag>
);

const columns = (revoke: (key: ApiKey) => void): readonly Column<ApiKey>[] => [
  { name: 'Name', cell: (key) => key.name },
  { name: 'Key', short: true, cell: (key) => <code>{key.prefix}…</code> },
  { name: 'Environment', short: true, cell: (key) => key.environment },
  { name: 'Scopes', cell: (key) => <ScopesOf scopes={key.scopes} /> },
  {
    name: 'Last used',
    short: true,
    cell: (key) => (key.lastUsedAt === null ? <Absent text="never" /> : <Ago at={key.lastUsedAt} />),
  },
  { name: 'Expires', short: true, cell: (key) => <Expires of={key} /> },
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
