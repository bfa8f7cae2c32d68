import { useSearchParams } from 'react-router';
import { EVENT_TYPES } from '../../generated/event-types';
import { SelectField } from '../../ui/forms/fields/field';
import { useChange } from '../../ui/lists/filters/filters';
import { NOUNS, TYPES } from '../nouns/words/event-types';
import style from './action-field.module.css';

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

/** Actions in words, by what they are about. */
export function ActionField() {
  const change = useChange();
  const { action = '' } = useEntryFilter();
  return (
    <SelectField
      className={style.action}
      label="Action"
      value={action}
      onChange={({ target }) => change('action', target.value)}
    >
      <option value="">All</option>
      {action !== '' && !TYPES.includes(action) && <option value={action}>{action}</option>}
      {NOUNS.map(({ noun, name, types }) => (
        <optgroup key={noun} label={name}>
          {types.map((type) => (
            <option key={type} value={type}>
              {EVENT_TYPES[type]}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  );
}
