import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { EVENT_TYPES } from '../../../generated/event-types';
import { Button } from '../../../ui/forms/button';
import { Choice } from '../../../ui/forms/fields/choice';
import { Stack } from '../../../ui/layout/stack';
import { NOUNS, type Noun } from '../../nouns/words/event-types';
import style from './event-choice.module.css';
import {
  isChosen,
  type Patterns,
  stateOf,
  textOfPatterns,
  toggleNoun,
  toggleType,
  wholeOf,
} from './patterns';

const OPTIONS = {
  all: { name: 'All events', about: 'Also types that are added later.' },
  some: { name: 'Chosen events', about: 'Whole groups, or single types.' },
} as const;

/** Which events are sent: all, or those of some patterns. */
export function EventChoice({
  patterns,
  onChange,
}: {
  readonly patterns: Patterns;
  readonly onChange: (patterns: Patterns) => void;
}) {
  const isAll = patterns.includes('*');
  /** What was chosen before “All events”. */
  const [before, setBefore] = useState<Patterns>(isAll ? [] : patterns);
  const choose = (option: keyof typeof OPTIONS) => {
    if (option === 'all') setBefore(patterns);
    onChange(option === 'all' ? ['*'] : before);
  };
  return (
    <Stack gap={2}>
      <Choice legend="Events" options={OPTIONS} chosen={isAll ? 'all' : 'some'} onChoose={choose} />
      {!isAll && (
        <>
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset does not scroll in all browsers */}
          <div className={style.nouns} role="group" aria-label="Types of events">
            {NOUNS.map((noun) => (
              <NounChoice key={noun.noun} noun={noun} patterns={patterns} onChange={onChange} />
            ))}
          </div>
          <p className={style.chosen} role="status">
            {patterns.length === 0 ? 'Choose at least one type.' : `Sends ${textOfPatterns(patterns)}`}
          </p>
        </>
      )}
    </Stack>
  );
}

function NounChoice({
  noun,
  patterns,
  onChange,
}: {
  readonly noun: Noun;
  readonly patterns: Patterns;
  readonly onChange: (patterns: Patterns) => void;
}) {
  const id = useId();
  const state = stateOf(patterns, noun);
  // Opened from the start if a single type is chosen.
  const [isOpen, setOpen] = useState(state === 'some');
  const { length } = noun.types;
  return (
    <>
      <div className={style.noun}>
        <label className={style.check}>
          <input
            type="checkbox"
            ref={(input) => {
              if (input) input.indeterminate = state === 'some';
            }}
            checked={state === 'all'}
            onChange={() => onChange(toggleNoun(patterns, noun))}
          />
          <span>{noun.name}</span> <code>{wholeOf(noun)}</code>
        </label>
        <Button
          small
          look="quiet"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          {length === 1 ? '1 type' : `${length} types`}
          <span className="visually-hidden">of {noun.name}</span>
          <ChevronRight size={14} aria-hidden="true" />
        </Button>
      </div>
      {isOpen && (
        <div className={style.types} id={id}>
          {noun.types.map((type) => (
            <label key={type} className={style.check}>
              <input
                type="checkbox"
                checked={isChosen(patterns, type)}
                onChange={() => onChange(toggleType(patterns, noun, type))}
              />
              <span className={style.type}>
                <code>{type}</code>
                <small>{EVENT_TYPES[type]}</small>
              </span>
            </label>
          ))}
        </div>
      )}
    </>
  );
}
