import { freePort } from '../../../server/test/support/process.js';
import { manualClock, type Service, startService } from '../../../server/test/support/service.js';

/** A service whose pages are opened by the name `localhost`, which WebAuthn asks for. */
export interface PagesService extends Service {
  readonly origin: string;
}

/** Its clock begins at the present, where the browser's stands, and moves when a test says so. */
export async function pagesService(env: Record<string, string> = {}): Promise<PagesService> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const service = await startService({ clock: manualClock(Date.now()), env: { BASE_URL: origin, ...env } });
  // What the service says of its time is what it goes by.
  service.app.http.server.prependListener('request', (_, reply) =>
    reply.setHeader('date', new Date(service.clock.now()).toUTCString()),
  );
  await service.app.http.listen({ port, host: '127.0.0.1' });
  return { ...service, origin };
}
