import { Svc } from '@svc/sdk';

/** The service that sent this page, and the only one that this phone speaks to. */
export const SERVICE = location.origin;

/** Without a key: what a registration and the look at a code need. */
export const svc = new Svc({ baseUrl: SERVICE });
