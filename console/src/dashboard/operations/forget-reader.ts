import { forgetLists } from './forget-lists';
import { forgetKey } from './playground-key';

/** Deletes what this browser keeps for the member who was logged in, because somebody else may use it next. */
export function forgetReader(): void {
  forgetKey();
  forgetLists();
}
