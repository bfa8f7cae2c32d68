import { Command } from 'cmdk';
import { X } from 'lucide-react';
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { Failure } from '../../../ui/failure';
import { useFieldError } from '../../../ui/forms/form';
import { usePaused } from '../../../ui/forms/use-paused';
import { Text } from '../../../ui/lists/value';
import type { ListedUser } from '../../operations/api';
import { useOperation } from '../../operations/operation';
import style from './request.module.css';

const MAX_PEOPLE = 20;
const LIMIT = 6;
const TYPING_MS = 150;

export type Chosen = Pick<ListedUser, 'id' | 'fullName' | 'email' | 'externalId'>;

/** Chooses people by the start of their name, e-mail or ID. */
export function PeoplePicker({
  chosen,
  isMissing,
  onChange,
}: {
  readonly chosen: readonly Chosen[];
  /** The form was sent without any. */
  readonly isMissing: boolean;
  readonly onChange: (people: readonly Chosen[]) => void;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const rejection = useFieldError('approvers');
  const problem = isMissing
    ? 'Choose at least one person.'
    : rejection === undefined
      ? undefined
      : `Approvers ${rejection}.`;
  const remove = (person: Chosen) => {
    onChange(chosen.filter((one) => one.id !== person.id));
    input.current?.focus();
  };
  return (
    <fieldset className={style.group} aria-describedby={problem ? `${id}-problem` : undefined}>
      <legend>Approvers</legend>
      {chosen.length > 0 && (
        <ul className={style.chosen} aria-label="Chosen approvers">
          {chosen.map((person) => (
            <li key={person.id}>
              <Text of={person.fullName} />
              <button type="button" aria-label={`Remove ${person.fullName}`} onClick={() => remove(person)}>
                <X size={14} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {problem && (
        <p className={style.problem} id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
      {chosen.length < MAX_PEOPLE && (
        <Finder
          input={input}
          isInvalid={problem !== undefined}
          without={chosen}
          onFind={(person) => onChange([...chosen, person])}
        />
      )}
    </fieldset>
  );
}

/** The arrow keys choose, Enter adds. The list is open while the input has the focus. */
function Finder({
  input,
  isInvalid,
  without,
  onFind,
}: {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly isInvalid: boolean;
  readonly without: readonly Chosen[];
  readonly onFind: (person: Chosen) => void;
}) {
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const { people, isSearching, error } = usePeople(typed, isOpen);
  const offered = people.filter(({ id }) => without.every((one) => one.id !== id)).slice(0, LIMIT);
  // The library says that it is always open.
  useEffect(() => input.current?.setAttribute('aria-expanded', String(isOpen)), [input, isOpen]);
  const find = (person: Chosen) => {
    onFind(person);
    setTyped('');
    setOpen(false);
  };
  const leave = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) setOpen(false);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') {
      setOpen(event.key !== 'Tab');
      return;
    }
    // The first Escape closes the list, the next one the dialog.
    if (isOpen) event.preventDefault();
    setOpen(false);
  };
  return (
    // The service searches, so the list filters nothing by itself.
    <Command
      className={style.finder}
      label="Find a person"
      shouldFilter={false}
      loop
      onBlur={leave}
      onKeyDown={press}
    >
      <Command.Input
        ref={input}
        className={style.input}
        aria-invalid={isInvalid || undefined}
        placeholder="Name, e-mail or external ID"
        maxLength={200}
        value={typed}
        onValueChange={setTyped}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
      />
      <Command.List
        className={style.offered}
        // The input names it, also while it is closed.
        hidden={!isOpen}
        label="People"
        // A click doesn't take the focus from the input.
        onMouseDown={(event) => event.preventDefault()}
      >
        {error && <Failure error={error} />}
        {!error && <Command.Empty className={style.none}>{isSearching ? 'Searching …' : NONE}</Command.Empty>}
        {offered.map((person) => (
          <Command.Item key={person.id} value={person.id} onSelect={() => find(person)}>
            <Text of={person.fullName} />
            <small>
              <Text of={person.email ?? person.externalId ?? ''} />
            </small>
          </Command.Item>
        ))}
      </Command.List>
    </Command>
  );
}

const NONE = 'Nobody found. Try the first letters of a name, e-mail or ID.';

/** The active people whose name, e-mail or ID begins with what was typed, or the newest. */
function usePeople(typed: string, isOpen: boolean) {
  const q = usePaused(typed.trim(), TYPING_MS);
  // As many more as can have been chosen.
  const query = { status: 'active' as const, limit: LIMIT + MAX_PEOPLE, ...(q !== '' && { q }) };
  const { data, isFetching, error } = useOperation('listUsers', { query }, { enabled: isOpen });
  return { people: data?.users ?? [], isSearching: isFetching || typed.trim() !== q, error };
}
