import { CopyIcon } from '../../ui/forms/copy';
import { Panel } from '../../ui/layout/panel';
import { Text } from '../../ui/lists/value';
import type { ListedApproval } from '../operations/api';
import style from './approvals.module.css';

type Action = NonNullable<ListedApproval['action']>;

/** A label can be there more than once. */
const numbered = <T,>(items: readonly T[]) => items.map((item, at) => ({ ...item, key: String(at) }));

/** What the phone shows, as it was asked. All of it is text. */
export function Asked({ action }: { readonly action: Action }) {
  const { title, fields, note, documents = [], reference } = action;
  return (
    <Panel title="What the phone shows">
      <p className={style.title}>
        <Text of={title} />
      </p>
      {fields.length > 0 && (
        <table className={style.fields} aria-label="Fields">
          <tbody>
            {numbered(fields).map(({ key, label, value }) => (
              <tr key={key}>
                <th scope="row">
                  <Text of={label} />
                </th>
                <td>
                  <Text of={value} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {note !== undefined && (
        <p className={style.note}>
          <Text of={note} />
        </p>
      )}
      {documents.length > 0 && (
        <ul className={style.documents} aria-label="Documents">
          {numbered(documents).map(({ key, name, sha256 }) => (
            <li key={key}>
              <Text of={name} />
              <span>
                SHA-256 <code>{sha256}</code> <CopyIcon text={sha256} label="Copy the SHA-256" />
              </span>
            </li>
          ))}
        </ul>
      )}
      {reference !== undefined && (
        <p className={style.reference}>
          Reference: <Text of={reference} />
        </p>
      )}
    </Panel>
  );
}
