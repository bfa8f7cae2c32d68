import { t } from '../language/strings';
import type { PairingBrowser } from '../vault/history';

/** What a browser says that it is. Undefined if it says nothing. */
export const nameOf = ({ browser, system }: PairingBrowser): string | undefined =>
  browser !== null && system !== null ? t.pair.browserOn(browser, system) : (browser ?? system ?? undefined);
