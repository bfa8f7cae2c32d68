import { notifyTabs } from '../tabs';
import { addressOf } from './next-page';

/** Opens a page of the dashboard after this browser was logged in as a member. It never resolves: the page is busy until the next one. */
export function enter(memberId: string, next: string): Promise<never> {
  notifyTabs(memberId);
  location.replace(addressOf(next));
  return new Promise(() => undefined);
}
