import { freePort } from '../../../server/test/support/process.js';
import {
  manualClock,
  type Service,
  type ServiceOptions,
  startService,
} from '../../../server/test/support/service.js';

/** A service whose pages are opened at `localhost`, because WebAuthn requires a domain. */
export interface PagesService extends Service {
  readonly origin: string;
}

/** Starts a service with a manual clock. Default: it begins at the current time, like the browser's. */
export async function pagesService(
  env: Record<string, string> = {},
  options: Pick<ServiceOptions, 'clock' | 'random' | 'chain'> = {},
): Promise<PagesService> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const service = await startService({
    clock: manualClock(Date.now()),
    ...options,
    env: { BASE_URL: origin, ...env },
  });
  // The Date header must match the service's clock.
  service.app.http.server.prependListener('request', (_, reply) =>
    reply.setHeader('date', new Date(service.clock.now()).toUTCString()),
  );
  await service.app.http.listen({ port, host: '127.0.0.1' });
  return { ...service, origin };
}
