import { Svc } from '@svc/sdk';

/** The service that sent this page. The phone uses no other. */
export const SERVICE = location.origin;

/** A client without an API key, for registrations and for checking a code. */
export const svc = new Svc({ baseUrl: SERVICE });
