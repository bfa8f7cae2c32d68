import { Id, Text } from '../ui/lists/value';
import type { Names } from './names';

/** The name for an ID, or the short ID if the name is unknown. */
export function Named({ id, names }: { readonly id: string | null; readonly names: Names }) {
  const name = id === null ? undefined : names.get(id);
  return name === undefined ? <Id of={id} short /> : <Text of={name} />;
}

/** The name with the full ID below it. */
export function NamedWithId({ id, names }: { readonly id: string | null; readonly names: Names }) {
  const name = id === null ? undefined : names.get(id);
  return (
    <>
      {name !== undefined && (
        <div>
          <Text of={name} />
        </div>
      )}
      <Id of={id} />
    </>
  );
}
