import { Notice } from '../../../ui/layout/surface';
import { lineNumbers, people } from './people';
import style from './preview.module.css';
import { FIELDS, LABELS, type PeopleFile } from './read-people';

const SHOWN_LINES = 3;

/** The first lines as they were understood, and what is left out. */
export function Preview({ of: { lines, ignored, nameless, repeated } }: { readonly of: PeopleFile }) {
  const columns = FIELDS.filter((field) => lines.some(({ person }) => person[field] !== undefined));
  const isKnowable = columns.includes('externalId');
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what is wider than the dialog */}
      <section className={style.preview} tabIndex={0} aria-label="The first people of the file">
        <table>
          <thead>
            <tr>
              {columns.map((field) => (
                <th key={field} scope="col">
                  {LABELS[field]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.slice(0, SHOWN_LINES).map(({ number, person }) => (
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
      {nameless.length > 0 && (
        <Notice tone="warn">{lineNumbers(nameless)} without a name will be left out.</Notice>
      )}
      {repeated.length > 0 && (
        <Notice tone="warn">
          {lineNumbers(repeated)} will be left out: a line before has the same external ID.
        </Notice>
      )}
      <p>
        {isKnowable
          ? 'People whose external ID is already here stay as they are.'
          : 'Without external IDs, importing the file again adds everybody again.'}{' '}
        Nobody gets a message: you register each phone on the page of its person.
      </p>
    </>
  );
}
