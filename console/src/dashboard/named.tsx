import { Id, Text } from '../ui/lists/value';
import type { Names } from './names';

export function Named({ id, names }: { readonly id: string | null; readonly names: Names }) {
  const name = id === null ? undefined : names.get(id);
  return name === undefined ? <Id of={id} short /> : <Text of={name} />;
}

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
