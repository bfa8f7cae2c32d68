import { Notice } from '../../../ui/layout/surface';
import { PERSON_FIELD_NAMES, PERSON_FIELDS } from '../../nouns/person/person-fields';
import { leftOutBy, people } from './people';
import style from './preview.module.css';
import type { Line, PeopleFile } from './read-people';

const SHOWN_LINES = 3;

const hasAccent = ({ person }: Line) => Object.values(person).some((value) => /[\u0080-\uffff]/.test(value));

/** The first lines as they were understood, and what is left out. */
export function Preview({
  of: { lines, ignored, leftOut },
  isGuess,
}: {
  readonly of: PeopleFile;
  /** Whether the characters of the file are a guess. */
  readonly isGuess: boolean;
}) {
  const columns = PERSON_FIELD_NAMES.filter((field) =>
    lines.some(({ person }) => person[field] !== undefined),
  );
  const isKnowable = columns.includes('externalId');
  // With accents first, if they show whether the guess is right.
  const shown = isGuess ? lines.toSorted((a, b) => Number(hasAccent(b)) - Number(hasAccent(a))) : lines;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what is wider than the dialog */}
      <section className={style.preview} tabIndex={0} aria-label="The first people of the file">
        <table>
          <thead>
            <tr>
              {columns.map((field) => (
                <th key={field} scope="col">
                  {PERSON_FIELDS[field].label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, SHOWN_LINES).map(({ number, person }) => (
              <tr key={number}>
                {columns.map((field) => (
                  <td key={field}>{person[field]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {lines.length > SHOWN_LINES && <p>And {people(lines.length - SHOWN_LINES)} more.</p>}
      {ignored.length > 0 && <p>Not used: {ignored.join(', ')}.</p>}
      {isGuess && (
        <Notice tone="warn">
          This file is not in UTF-8. It was read as Windows-1252, as Excel saves a CSV. If an accent above is
          wrong, save the file as “CSV UTF-8” and choose it again.
        </Notice>
      )}
      {leftOutBy(leftOut).map(([why, lineNames]) => (
        <Notice key={why} tone="warn">
          {lineNames} will be left out: {why}.
        </Notice>
      ))}
      <p>
        {isKnowable
          ? 'People whose external ID is already here stay as they are.'
          : 'Without external IDs, importing the file again adds everybody again.'}{' '}
        Nobody gets a message: you register each phone on the page of its person.
      </p>
    </>
  );
}
