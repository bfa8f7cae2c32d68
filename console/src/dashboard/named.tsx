import { Id, Text } from '../ui/lists/value';

interface Reference {
  readonly id: string | null;
  /** Null if the record has no name or is not known. */
  readonly name: string | null;
}

/** The name of a record, or the end of its ID. */
export const Named = ({ id, name }: Reference) => (name === null ? <Id of={id} short /> : <Text of={name} />);

export const NamedWithId = ({ id, name }: Reference) => (
  <>
    {name !== null && (
      <div>
        <Text of={name} />
      </div>
    )}
    <Id of={id} />
  </>
);
