import type { Statement } from '@svc/zk/approvals/statement';
import { useId } from 'react';
import { Text } from '../../ui/lists/value';
import { t } from '../language/strings';
import style from './sheet.module.css';

/**
 * The company's text, exactly as it is in the statement. It is in a frame that says who wrote it, so that it can't pass for words of this
 * page. Nothing of it is a link or markup, and browsers must not translate it.
 */
export function Sheet({ statement }: { readonly statement: Statement }) {
  const titleId = useId();
  const { company, requestedBy, action } = statement;
  const { title, fields, note, documents = [], reference } = action;
  return (
    <section className={style.sheet} aria-labelledby={titleId} translate="no">
      <header className={style.from}>
        <strong>{t.approvals.writtenBy(<Text of={company} />)}</strong>
        <span>{t.approvals.asks[requestedBy.kind](<Text of={requestedBy.name} />)}</span>
      </header>
      <h2 id={titleId} className={style.title}>
        <Text of={title} />
      </h2>
      {fields.length > 0 && <Fields fields={fields} />}
      {note !== undefined && (
        <div className={style.part}>
          <h3>{t.approvals.note}</h3>
          <p className={style.note} dir="auto">
            {note}
          </p>
        </div>
      )}
      {documents.length > 0 && <Documents documents={documents} />}
      {reference !== undefined && (
        <p className={style.reference}>{t.approvals.reference(<Text of={reference} />)}</p>
      )}
    </section>
  );
}

const Fields = ({ fields }: { readonly fields: Statement['action']['fields'] }) => (
  <dl className={style.fields}>
    {fields.map(({ label, value }, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two fields may be equal, and their order never changes
      <div key={at}>
        <dt>
          <Text of={label} />
        </dt>
        <dd dir="auto">{value}</dd>
      </div>
    ))}
  </dl>
);

const Documents = ({ documents }: { readonly documents: NonNullable<Statement['action']['documents']> }) => (
  <div className={style.part}>
    <h3>{t.approvals.documents}</h3>
    <ul className={style.documents}>
      {documents.map(({ name, sha256 }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two documents may be equal, and their order never changes
        <li key={at}>
          <strong>
            <Text of={name} />
          </strong>
          <Hash label={t.approvals.sha256} of={sha256} />
        </li>
      ))}
    </ul>
  </div>
);

const GROUP = /.{8}/g;

/** A hash in groups of eight digits, so that a person can compare it. Copied, it has no spaces. */
const Hash = ({ label, of }: { readonly label: string; readonly of: string }) => (
  <p className={style.hash}>
    <span className={style.hashLabel}>{label}</span>
    <code className={style.digits}>
      {(of.match(GROUP) ?? []).map((group, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a group is nothing but its position
        <span key={at} className={style.group}>
          {group}
        </span>
      ))}
    </code>
  </p>
);
