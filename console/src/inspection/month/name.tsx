import { Text } from '../../ui/lists/value';
import { useTexts } from '../language/spoken';

/** Somebody who was erased has no name any more. */
export function Name({ of }: { readonly of: string }) {
  const t = useTexts().sheet;
  return of === '' ? t.erased : <Text of={of} />;
}
