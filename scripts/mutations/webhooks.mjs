// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of sources
// Mutations of events, webhooks and their deliveries. Each names the test that must fail.
const delivery = 'server/test/webhooks/delivery.test.ts > a delivery [D12.66]';
const webhooks = 'server/test/webhooks/webhooks.test.ts';
const retries = 'server/test/webhooks/retries.test.ts';

/** @type {import('./list.mjs').Mutation[]} */
export const events = [
  {
    name: 'the feed continues after an event that has another hash',
    file: 'server/src/features/events/events.ts',
    find: "if (hash !== undefined && !found?.startsWith(hash)) fail('chain_diverged');",
    replace: '',
    test: 'server/test/events/events.test.ts > the feed of events [GET /v1/events] [D12.64] > does not continue after an event that has another hash, or no longer exists [chain_diverged]',
  },
  {
    name: 'a waiting request goes on after its key was revoked',
    file: 'server/src/ledger/read-events.ts',
    find: '${credential ? sql`and exists (${credential})` : sql``}',
    replace: '',
    test: 'server/test/events/events-stream.test.ts > the stream of events [GET /v1/events/stream] > ends when its key is revoked, and leaves no slot, subscription or timer',
  },
  {
    name: 'a webhook is sent events about itself',
    file: 'server/src/features/events/filter.ts',
    find: "!(webhookId !== undefined && event.entity_type === 'webhook' && event.entity_id === webhookId)",
    replace: 'true',
    test: `${webhooks} > a webhook > is sent what it selects: types, outcome, and no events about itself`,
  },
  {
    name: 'deliveries are signed with the previous secret for ever',
    file: 'server/src/features/webhooks/secrets.ts',
    find: 'row.previous_secret_until.getTime() > now',
    replace: 'row.previous_secret_until.getTime() > 0',
    test: `${webhooks} > replacing the secret [POST /v1/webhooks/:id/rotate-secret] [webhook.secret_rotated] > signs with both until the grace ends, also if it is replaced twice`,
  },
  {
    name: 'a webhook of another account can be read',
    file: 'server/src/features/webhooks/webhooks.store.ts',
    find: "from webhooks t left join api_keys k on k.tenant_id = ${read.scope.tenantId} and k.id = t.key_id where ${within(read.scope, 't')}`;",
    replace:
      'from webhooks t left join api_keys k on k.tenant_id = ${read.scope.tenantId} and k.id = t.key_id where true`;',
    test: `${webhooks} > a webhook > belongs to one account and environment [webhook_not_found] [GET /v1/webhooks] [GET /v1/webhooks/:id]`,
  },
  {
    name: 'an account has more webhooks than its plan allows',
    file: 'server/src/features/webhooks/webhooks.ts',
    find: "if (count >= PLAN_LIMITS[principal.tenant.plan].webhooks) fail('webhook_limit_reached');",
    replace: '',
    test: `${webhooks} > creating a webhook [POST /v1/webhooks] [D12.65] > allows as many as the plan says, in each environment, also at the same time [webhook_limit_reached]`,
  },
  {
    name: 'numbers that are used again are skipped after a restored backup',
    file: 'server/src/features/webhooks/worker/chain.ts',
    find: 'if (stored !== after.hash) return false;',
    replace: '',
    test: `${webhooks} > a database that was restored > disables the webhook instead of skipping numbers that are used again [webhook.disabled] [webhook.enabled]`,
  },
  {
    name: 'an ordered webhook sends several events at the same time',
    file: 'server/src/features/webhooks/worker/serve.ts',
    find: "served.row.ordered && kind !== 'retries' ? 1 : MAX_EVENTS",
    replace: 'MAX_EVENTS',
    test: `${retries} > an ordered webhook > sends nothing after an event until that one is accepted`,
  },
  {
    name: 'an event that a receiver rejected is not sent again',
    file: 'server/src/features/webhooks/worker/settle.ts',
    find: 'retries: failures.map(({ retry }) => retry as RetryRow),',
    replace: 'retries: [],',
    test: `${delivery} > is repeated until it is accepted, with the same id and body`,
  },
  {
    name: 'an event that was given up does not disable its webhook',
    file: 'server/src/features/webhooks/worker/settle.ts',
    find: "return results.some(({ attempt }) => attempt.status === 'abandoned') ? 'failing' : undefined;",
    replace: 'return undefined;',
    test: `${retries} > an unordered webhook > is disabled by the first event that ten attempts could not deliver, and sends it when it is turned on [webhook.disabled] [webhook.enabled]`,
  },
  {
    name: 'a threshold of the quota is announced twice',
    file: 'server/src/features/usage/usage.store.ts',
    find: 'where tenant_id = ${w.scope.tenantId} and month = ${month} and threshold = ${from} returning 1 as done`',
    replace: 'where tenant_id = ${w.scope.tenantId} and month = ${month} returning 1 as done`',
    test: 'server/test/accounts/quota-threshold.test.ts > the events of a quota [quota.threshold] [D12.67] > come at 50, 80 and 100 percent, each once a month, whichever node finds it',
  },
];
