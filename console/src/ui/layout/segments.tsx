import { Link, useSearchParams } from 'react-router';
import style from './segments.module.css';

/** A choice between a few views of a page. It is in the address, so that a link opens the same view. */
export function Segments<K extends string>({
  label,
  name,
  options,
  chosen,
}: {
  readonly label: string;
  /** The query parameter. */
  readonly name: string;
  readonly options: Readonly<Record<K, string>>;
  readonly chosen: K;
}) {
  const [search] = useSearchParams();
  return (
    <nav className={style.segments} aria-label={label}>
      {(Object.keys(options) as K[]).map((value) => (
        <Link
          key={value}
          replace
          preventScrollReset
          to={{ search: withValue(search, name, value) }}
          aria-current={value === chosen}
        >
          {options[value]}
        </Link>
      ))}
    </nav>
  );
}

function withValue(search: URLSearchParams, name: string, value: string): string {
  const after = new URLSearchParams(search);
  after.set(name, value);
  return after.toString();
}
