import { useId } from 'react';
import style from './choice.module.css';

/** A choice between a few options, each with a line about it. */
export function Choice<K extends string>({
  legend,
  options,
  chosen,
  onChoose,
}: {
  readonly legend: string;
  readonly options: Readonly<Record<K, { readonly name: string; readonly about: string }>>;
  readonly chosen: NoInfer<K>;
  readonly onChoose: (option: NoInfer<K>) => void;
}) {
  const id = useId();
  return (
    <fieldset className={style.choice}>
      <legend>{legend}</legend>
      {(Object.keys(options) as K[]).map((option) => (
        <label key={option}>
          <input
            type="radio"
            name={id}
            value={option}
            checked={option === chosen}
            aria-describedby={`${id}-${option}`}
            aria-label={options[option].name}
            onChange={() => onChoose(option)}
          />
          <span className={style.name}>{options[option].name}</span>
          <span className={style.about} id={`${id}-${option}`}>
            {options[option].about}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
