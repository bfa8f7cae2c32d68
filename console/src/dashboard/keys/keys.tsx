import type { ApiKey } from '@svc/sdk';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { OWNER_SCOPES } from '../../generated/scopes';
import { Menu } from '../../ui/forms/menu';
import { useCan } from '../nouns/members/needs';
import { ENVIRONMENTS } from '../operations/environment';
import { pages, usePages } from '../operations/operation';
import { type ListColumn, listOf } from '../records/lists/list-of';
import { EditKey } from './change/edit-key';
import { RevokeKey } from './change/revoke-key';
import { RotateKey } from './change/rotate-key';
import { countedOf, MAX_KEYS } from './counted';
import { Expires, LastUsed, Name, Status } from './key-cells';
import style from './key-cells.module.css';
import { NewKey } from './new/new-key';
import { ScopesOf } from './scopes-of';

const DIALOGS = { rotate: RotateKey, edit: EditKey, revoke: RevokeKey } as const;
interface Chosen {
  readonly action: keyof typeof DIALOGS;
  readonly apiKey: ApiKey;
}

const read = () => pages('consoleListApiKeys', {});

export const Keys = listOf({
  title: 'API keys',
  read,
  useParts: () => {
    const [chosen, choose] = useState<Chosen>();
    const { data } = usePages(read());
    const keys = data?.pages.flatMap(({ items }) => items);
    const ChosenDialog = chosen && DIALOGS[chosen.action];
    return {
      columns: columns(keys ?? [], useCan('owner'), choose),
      // All active keys are on the first page.
      note: keys && (
        <p className={style.count}>
          {countedOf(keys)} of {MAX_KEYS} active keys, without those that were replaced
        </p>
      ),
      dialog: ChosenDialog && <ChosenDialog apiKey={chosen.apiKey} onClose={() => choose(undefined)} />,
    };
  },
  add: { name: 'New key', icon: KeyRound, Dialog: NewKey },
  empty: {
    title: 'No keys',
    text: 'Send a key with every request. A key belongs to one environment, and its scopes limit what it can do.',
  },
});

const columns = (
  keys: readonly ApiKey[],
  isOwner: boolean,
  choose: (chosen: Chosen) => void,
): readonly ListColumn<ApiKey>[] => [
  { name: 'Name', cell: (key) => <Name of={key} /> },
  { name: 'Key', short: true, narrow: 'fact', cell: (key) => <code>{key.prefix}…</code> },
  // On a phone, the start of the key says it.
  { name: 'Environment', short: true, minor: true, cell: ({ environment }) => ENVIRONMENTS[environment] },
  { name: 'Scopes', cell: (key) => <ScopesOf scopes={key.scopes} /> },
  { name: 'Last used', short: true, narrow: 'time', cell: (key) => <LastUsed of={key} /> },
  {
    name: 'Expires',
    short: true,
    cell: (key) => <Expires of={key} successor={keys.find(({ id }) => id === key.replacedBy)} />,
  },
  { name: 'Status', short: true, narrow: 'state', cell: (key) => <Status of={key} /> },
  {
    name: 'Actions',
    short: true,
    role: 'developer',
    narrow: 'actions',
    cell: (key) =>
      key.status === 'active' && (
        <Menu
          label={`Actions for ${key.name}`}
          items={[
            ...(key.replacedBy === null &&
            (isOwner || !key.scopes.some((scope) => OWNER_SCOPES.includes(scope)))
              ? [{ name: 'Rotate', onSelect: () => choose({ action: 'rotate', apiKey: key }) }]
              : []),
            { name: 'Edit', onSelect: () => choose({ action: 'edit', apiKey: key }) },
            { name: 'Revoke', danger: true, onSelect: () => choose({ action: 'revoke', apiKey: key }) },
          ]}
        />
      ),
  },
];
