import { confirmOf } from '../../records/confirm-of';
import { t } from '../language/strings';

/** Takes the PIN of a person away, such as one that others know. */
export const TakePin = confirmOf({
  operation: 'resetAttendancePin',
  input: ({ userId }: { readonly userId: string; readonly name: string }) => ({ path: { userId } }),
  title: ({ name }) => t.pin.title(name),
  action: () => t.pin.action,
  done: () => t.pin.done,
  text: () => t.pin.text,
});
