import { Command } from 'cmdk';
import { Plus, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Popover } from '../../floating/popover';
import { usePaused } from '../../forms/use-paused';
import { classes } from '../../layout/classes';
import filters from './filters.module.css';
import style from './pick-filter.module.css';

/** A record that a list can be filtered by. */
export interface Pick {
  readonly id: string;
  readonly name: ReactNode;
  /** What tells it from others of the same name. */
  readonly about?: ReactNode;
}

export interface Found {
  readonly picks: readonly Pick[] | undefined;
  readonly isFailed: boolean;
}

const TYPING_MS = 200;

/** Filters by one record, which is found by its name while the reader types. */
export function PickFilter({
  name,
  hint,
  chosen,
  useFound,
  onChoose,
}: {
  /** What is chosen, such as “Person”. */
  readonly name: string;
  /** What it can be found by. */
  readonly hint: string;
  /** The name of the chosen record. */
  readonly chosen: ReactNode;
  readonly useFound: (typed: string) => Found;
  /** An empty id removes the filter. */
  readonly onChoose: (id: string) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const choose = (id: string) => {
    onChoose(id);
    setOpen(false);
  };
  return (
    <div className={classes(filters.pick, !chosen && filters.unset)}>
      <Popover
        label={name}
        open={isOpen}
        onOpenChange={setOpen}
        className={style.popover}
        trigger={
          <button type="button">
            {!chosen && <Plus size={14} aria-hidden="true" />}
            <span>{name}</span>
            {chosen && <strong>{chosen}</strong>}
          </button>
        }
      >
        <Finder {...{ name, hint, useFound }} onChoose={choose} />
      </Popover>
      {chosen && (
        <button
          type="button"
          className={filters.remove}
          aria-label={`Remove the filter ${name}`}
          onClick={() => onChoose('')}
        >
          <X size={14} aria-hidden="true" />
        </button>
      )}
    </div>
  );
}

function Finder({
  name,
  hint,
  useFound,
  onChoose,
}: {
  readonly name: string;
  readonly hint: string;
  readonly useFound: (typed: string) => Found;
  readonly onChoose: (id: string) => void;
}) {
  const [typed, setTyped] = useState('');
  const { picks, isFailed } = useFound(usePaused(typed.trim(), TYPING_MS));
  const [active, setActive] = useState('');
  // The results arrive after the text that they belong to, so the first one is chosen then.
  const first = picks?.[0]?.id ?? '';
  useEffect(() => setActive(first), [first]);
  return (
    <Command
      className={style.finder}
      label={`Find: ${name}`}
      shouldFilter={false}
      value={active}
      onValueChange={setActive}
    >
      <Command.Input value={typed} onValueChange={setTyped} placeholder={hint} maxLength={200} autoFocus />
      <Command.List label={name}>
        {picks?.length === 0 && <Command.Empty>No results.</Command.Empty>}
        {isFailed && <p role="alert">Could not be loaded. Type again to retry.</p>}
        {picks?.map(({ id, name: shown, about }) => (
          <Command.Item key={id} value={id} onSelect={() => onChoose(id)}>
            <span>{shown}</span>
            {about && <small>{about}</small>}
          </Command.Item>
        ))}
      </Command.List>
    </Command>
  );
}
