import { useId } from 'react';
import { classes } from '../../layout/classes';
import style from './choice.module.css';

/** A choice between a few options, each with a line about it. */
export function Choice<K extends string>({
  legend,
  options,
  chosen,
  single = false,
  onChoose,
}: {
  readonly legend: string;
  readonly options: Readonly<Record<K, { readonly name: string; readonly about: string }>>;
  readonly chosen: NoInfer<K>;
  /** In one column. Default: two. */
  readonly single?: boolean;
  readonly onChoose: (option: NoInfer<K>) => void;
}) {
  const id = useId();
  return (
    <fieldset className={classes(style.choice, single && style.single)}>
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
