import { Id, Text } from '../ui/lists/value';
import type { Names } from './names';

/** Whoever an id stands for: by name where it is known. */
export function Named({ id, names }: { readonly id: string | null; readonly names: Names }) {
  const name = id === null ? undefined : names.get(id);
  return name === undefined ? <Id of={id} short /> : <Text of={name} />;
}

/** The same in full: the name, and the id under it. */
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
