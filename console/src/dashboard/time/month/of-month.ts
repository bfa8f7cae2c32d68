import type { PersonSheet } from '@svc/sdk';

/** The sheets of a site’s month. */
export interface OfMonth {
  readonly sheets: readonly PersonSheet[];
  readonly siteId: string;
  readonly month: string;
  /** At the site. */
  readonly today: string;
}
