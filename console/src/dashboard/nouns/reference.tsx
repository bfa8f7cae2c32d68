import { Link } from 'react-router';
import { CopyIcon } from '../../ui/forms/copy';
import { Inline } from '../../ui/layout/stack';
import { Id } from '../../ui/lists/value';
import { useEnvironment } from '../operations/environment';
import { type RecordPage, recordIn } from '../paths';
import { PersonName } from './person/person-name';
import style from './reference.module.css';

interface Named {
  readonly id: string | null;
  /** Null or undefined if the record has no name or is not known. */
  readonly name: string | null | undefined;
}

/** The name of a record, or the end of its ID. Of all records, only erased people have an empty name. */
export const Name = ({ id, name }: Named) => (name == null ? <Id of={id} short /> : <PersonName of={name} />);

/** The name of a record, or the end of its ID, as a link to it. */
export function Reference({ to, id, name }: Named & { readonly to: RecordPage }) {
  const environment = useEnvironment();
  if (id === null) return <Id of={null} />;
  return (
    <Link className={style.reference} to={recordIn(environment, to, id)}>
      <Name id={id} name={name} />
    </Link>
  );
}

/** The end of an ID, and a button that copies all of it. */
export const CopyId = ({ of, name = 'ID' }: { readonly of: string; readonly name?: string }) => (
  <Inline>
    <Id of={of} short />
    <CopyIcon text={of} label={`Copy the ${name}`} />
  </Inline>
);
