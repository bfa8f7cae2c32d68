import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { TextField } from '../../ui/forms/field';
import { useChange } from '../../ui/lists/filters';

export type EntryFilter = {
  readonly action?: string;
  /** The record that the entries are about, by its ids, separated by commas. */
  readonly entityId?: string;
};

const ACTION = /^[a-z_]+(\.[a-z_]+)+$/;
const MAX_LENGTH = 64;
const IDS = /^[\w:-]+(,[\w:-]+){0,3}$/;
const MAX_IDS_LENGTH = 150;
const isAction = (text: string): boolean => ACTION.test(text) && text.length <= MAX_LENGTH;

/** Reads the filter from the address and ignores values that the API would reject. */
export function readFilter(search: URLSearchParams): EntryFilter {
  const action = search.get('action') ?? '';
  const entityId = search.get('entityId') ?? '';
  return {
    ...(isAction(action) && { action }),
    ...(IDS.test(entityId) && entityId.length <= MAX_IDS_LENGTH && { entityId }),
  };
}

export const useEntryFilter = (): EntryFilter => readFilter(useSearchParams()[0]);

/** Filters when an action is complete. */
export function ActionField() {
  const change = useChange();
  const { action = '' } = useEntryFilter();
  const [typed, setTyped] = useState(action);
  const [isWrong, setIsWrong] = useState(false);
  // “Clear filters” and the browser's buttons change the address.
  useEffect(() => setTyped(action), [action]);
  const apply = (text: string) => {
    const isSound = text === '' || isAction(text);
    setIsWrong(!isSound);
    if (isSound && text !== action) change('action', text);
  };
  return (
    <TextField
      label="Action"
      placeholder="device.created"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={MAX_LENGTH}
      value={typed}
      error={
        isWrong ? 'Enter an action with a dot between its words, for example api_key.revoked.' : undefined
      }
      onChange={(event) => setTyped(event.target.value.trim())}
      onBlur={() => apply(typed)}
      onKeyDown={({ key }) => key === 'Enter' && apply(typed)}
    />
  );
}
