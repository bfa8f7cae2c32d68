import { Notice } from '../../../ui/layout/surface';
import { lineNumbers } from './people';
import style from './preview.module.css';
import { FIELDS, type Field, type PeopleFile } from './read-people';

const SHOWN_LINES = 3;

const LABELS: Readonly<Record<Field, string>> = {
  fullName: 'Name',
  email: 'E-mail',
  phone: 'Phone',
  externalId: 'External ID',
  employeeCode: 'Employee code',
};

/** The first lines as they were understood, and what is left out. */
export function Preview({ of: { lines, ignored, nameless } }: { readonly of: PeopleFile }) {
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
      {ignored.length > 0 && <p>Not used: {ignored.join(', ')}.</p>}
      {nameless.length > 0 && (
        <Notice tone="warn">{lineNumbers(nameless)} without a name will be left out.</Notice>
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
