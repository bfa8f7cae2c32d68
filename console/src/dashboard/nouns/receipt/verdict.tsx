import { useId } from 'react';
import { Notice } from '../../../ui/layout/surface';
import { Time } from '../../../ui/lists/time';
import { Text } from '../../../ui/lists/value';
import { Reference } from '../reference';
import type { CheckedReceipt } from './check-receipt';
import style from './receipt.module.css';

/** The names of people by id. */
type Names = ReadonlyMap<string, string | null>;

/** The result in the sentences of the checker, which the command line prints as well. People have their names, as far as they are known. */
export function Verdict({
  of: { verdict, fileName, isOfAnother, isForgeable },
  names,
}: {
  readonly of: CheckedReceipt;
  readonly names: Names;
}) {
  const name = fileName === null ? 'The receipt' : <Text of={fileName} />;
  if (!verdict.ok)
    return (
      <Notice tone="bad">
        <p>
          <strong>{name} failed the check.</strong> <Text of={verdict.message} />
        </p>
        <p>
          Code:{' '}
          <a className={style.code} href="/docs/receipts#codes">
            {verdict.code}
          </a>
        </p>
      </Notice>
    );
  return (
    <>
      <Notice tone={isOfAnother || isForgeable ? 'warn' : 'good'}>
        <p>
          <strong>{name} passed the check.</strong>
          {isOfAnother && ' But it is the receipt of another approval.'}
        </p>
        {isForgeable && (
          <p>
            It could still be forged: this service runs with development keys, and the party that made them
            can make any proof.
          </p>
        )}
      </Notice>
      <div className={style.findings}>
        <Sentences title="Checked" of={withDigestLast(verdict.checked)} names={names} />
        <Sentences title="Not checked" of={verdict.notChecked.map(asTitled)} names={names} />
        <Sentences title="What it rests on" of={verdict.restsOn} names={names} />
      </div>
    </>
  );
}

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

/** What people decided comes first. The digest only matters to those who compare it. */
function withDigestLast(sentences: readonly string[]): readonly string[] {
  const isDigest = (sentence: string) => sentence.startsWith('The statement has the digest ');
  return [...sentences.filter((sentence) => !isDigest(sentence)), ...sentences.filter(isDigest)];
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
