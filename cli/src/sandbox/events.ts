import { randomUUID } from 'node:crypto';
import type { FinalRequest } from './ceremonies.js';
import type { Stage } from './stage.js';

const needs = 'a key with the scopes `events:read` and `webhooks:write`';

const outcome = (
  status: number,
  error: string | undefined,
  summary: string,
  request: (stage: Stage) => Promise<unknown>,
) => ({
  expected: { status, ...(error !== undefined && { error }) },
  summary,
  needs,
  play:
    async (stage: Stage): Promise<FinalRequest> =>
    () =>
      request(stage),
});

/** Reading events, and webhooks that can't be created or found. */
export const EVENTS = {
  'event-read': outcome(200, undefined, 'the first event of the environment', ({ svc }) =>
    svc.events.list({ limit: 1 }),
  ),
  'events-diverged': outcome(
    409,
    'chain_diverged',
    'a position whose event the chain does not have',
    ({ svc }) => svc.events.list({ after: `1.${'0'.repeat(16)}` }),
  ),
  'webhook-url-refused': outcome(
    400,
    'webhook_url_refused',
    'a webhook whose URL has a user name',
    ({ svc }) => svc.webhooks.create({ url: 'https://user@example.com/hooks', events: ['*'] }),
  ),
  'webhook-unknown': outcome(404, 'webhook_not_found', 'an unknown webhook', ({ svc }) =>
    svc.webhooks.get(randomUUID()),
  ),
};
