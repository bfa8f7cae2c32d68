import { useId } from 'react';
import { Time } from '../../../ui/lists/time';
import { Reference } from '../reference';
import style from './receipt.module.css';

/** The names of people by id. */
export type Names = ReadonlyMap<string, string | null>;

/** What a checker found, in its sentences. */
export const Findings = ({
  of: { checked, notChecked, restsOn },
  names = new Map(),
}: {
  readonly of: Readonly<Record<'checked' | 'notChecked' | 'restsOn', readonly string[]>>;
  readonly names?: Names;
}) => (
  <div className={style.findings}>
    <Sentences title="Checked" of={checked} names={names} />
    <Sentences title="Not checked" of={notChecked.map(asTitled)} names={names} />
    <Sentences title="What it rests on" of={restsOn} names={names} />
  </div>
);

/** Under the title “Not checked”, a sentence need not say so. */
const asTitled = (sentence: string): string =>
  sentence.replace(/^not checked: (.)/, (_, first: string) => first.toUpperCase());

function Sentences({
  title,
  of,
  names,
}: {
  readonly title: string;
  readonly of: readonly string[];
  readonly names: Names;
}) {
  const id = useId();
  if (of.length === 0) return null;
  return (
    <section className={style.group}>
      <h3 id={id}>{title}</h3>
      <ul aria-labelledby={id}>
        {of.map((sentence) => (
          <li key={sentence}>
            <Sentence of={sentence} names={names} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const TIMES = /(\d{4}-\d\d-\d\dT[\d:.]+Z)/;

/** Times are shown as the reader writes them. */
const WithTimes = ({ of }: { readonly of: string }) =>
  of.split(TIMES).map((part, at) =>
    // Every second part is a time.
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is its position
    at % 2 === 1 ? <Time key={at} at={part} exact /> : part,
  );

/** A sentence about a person begins with the id. */
function Sentence({ of, names }: { readonly of: string; readonly names: Names }) {
  const person = [...names].find(([id]) => of.startsWith(id));
  if (person === undefined) return <WithTimes of={of} />;
  const [id, name] = person;
  return (
    <>
      <Reference to="users" id={id} name={name} />
      <WithTimes of={of.slice(id.length)} />
    </>
  );
}
