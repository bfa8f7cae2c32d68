import { phoneService } from '@svc/sdk/phone';

/** The service that sent this page. The phone uses no other. */
export const SERVICE = location.origin;

/** A client without an API key: a phone's proof is its credential. */
export const svc = phoneService({ baseUrl: SERVICE });
