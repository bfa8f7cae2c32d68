import { SvcRequests } from '@svc/sdk';

/** The service that sent this page, like the dashboard's, but nothing here needs a confirmed log-in. The build only needs an address. */
export const svc = new SvcRequests({
  baseUrl: typeof location === 'undefined' ? 'http://localhost' : location.origin,
  consoleSession: true,
});
