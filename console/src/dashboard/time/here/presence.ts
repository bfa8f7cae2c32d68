import type { Operations } from '@svc/sdk';

/** Who is on site, and when that was read. */
export type Presence = Operations['getSitePresence']['reply'];
