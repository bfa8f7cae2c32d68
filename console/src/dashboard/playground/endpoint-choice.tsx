import { Command, defaultFilter } from 'cmdk';
import { ChevronsUpDown } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Dialog } from '../../ui/dialogs/dialog';
import style from './endpoint-choice.module.css';
import type { Endpoint } from './endpoints';

/** Shows the chosen endpoint, and opens the list of all to choose another. */
export function EndpointChoice({
  endpoints,
  chosen,
  onChoose,
}: {
  readonly endpoints: readonly Endpoint[];
  readonly chosen: Endpoint;
  readonly onChoose: (id: string) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={style.chosen}
        aria-haspopup="dialog"
        aria-label={`Endpoint: ${chosen.method} ${chosen.path}`}
        onClick={() => setOpen(true)}
      >
        <Name of={chosen} />
        <ChevronsUpDown size={16} aria-hidden="true" />
      </button>
      {isOpen && (
        <Choice
          endpoints={endpoints}
          onClose={() => setOpen(false)}
          onChoose={(id) => {
            setOpen(false);
            onChoose(id);
          }}
        />
      )}
    </>
  );
}

const Name = ({ of: { method, path } }: { readonly of: Pick<Endpoint, 'method' | 'path'> }) => (
  <code className={style.name}>
    <span className={style.method} data-method={method}>
      {method}
    </span>{' '}
    {path}
  </code>
);

const idOf = ({ method, path }: Endpoint): string => `${method} ${path}`;
const keywordsOf = ({ summary, id, group }: Endpoint): string[] => [summary, id, group];

/** Those that fit what was typed, the best ones first. */
function fitting(endpoints: readonly Endpoint[], typed: string): readonly Endpoint[] {
  if (typed.trim() === '') return endpoints;
  return endpoints
    .map((endpoint) => [defaultFilter(idOf(endpoint), typed, keywordsOf(endpoint)), endpoint] as const)
    .filter(([fit]) => fit > 0)
    .toSorted(([one], [other]) => other - one)
    .map(([, endpoint]) => endpoint);
}

/** All endpoints by group. The arrow keys choose, Enter takes one. */
function Choice({
  endpoints,
  onChoose,
  onClose,
}: {
  readonly endpoints: readonly Endpoint[];
  readonly onChoose: (id: string) => void;
  readonly onClose: () => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  // After the dialog has focused its first element, which is the one that closes it.
  useEffect(() => input.current?.focus(), []);
  const [typed, setTyped] = useState('');
  const found = fitting(endpoints, typed);
  // The first one, until the arrow keys select another. After its own search, the library sometimes selects nothing.
  const [chosen, choose] = useState<string>();
  const [first] = found;
  const selected = chosen ?? (first && idOf(first));
  const search = (text: string) => {
    setTyped(text);
    choose(undefined);
  };
  const groups = [...new Set(found.map(({ group }) => group))];
  return (
    <Dialog title="Choose an endpoint" onClose={onClose}>
      <Command
        className={style.command}
        label="Choose an endpoint"
        loop
        shouldFilter={false}
        value={selected ?? ''}
        onValueChange={choose}
      >
        <Command.Input
          className={style.input}
          placeholder="Path or what it does"
          ref={input}
          value={typed}
          onValueChange={search}
        />
        <Command.List className={style.list}>
          <Command.Empty className={style.empty}>Nothing found. Try another word.</Command.Empty>
          {groups.map((group) => (
            <Command.Group key={group} heading={group}>
              {found
                .filter((endpoint) => endpoint.group === group)
                .map((endpoint) => (
                  <Command.Item
                    key={endpoint.id}
                    value={idOf(endpoint)}
                    onSelect={() => onChoose(endpoint.id)}
                  >
                    <Name of={endpoint} />
                    <span className={style.summary}>{endpoint.summary}</span>
                  </Command.Item>
                ))}
            </Command.Group>
          ))}
        </Command.List>
      </Command>
    </Dialog>
  );
}
