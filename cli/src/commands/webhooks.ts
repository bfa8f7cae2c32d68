import type { Webhook, WebhookDelivery, WebhookDeliveryListParams, WebhookUpdateParams } from '@svc/sdk';
import { type Command, Option } from 'commander';
import type { Action, Commands, Options } from '../command.js';
import { EXIT, UsageError } from '../failure.js';
import { keyClientOf, withKey } from '../settings.js';
import { plain, table } from '../terminal.js';
import { wholeNumber } from './numbers.js';

const ID = ['<id>', 'the id of the webhook'] as const;

/** The options that create and update have. */
const withFields = (command: Command): Command =>
  command
    .option('--description <text>', 'what it is for')
    .option('--ordered', 'send an event only after the one before it was accepted')
    .addOption(
      new Option('--outcome <outcome>', 'which events to send (default: success)').choices([
        'success',
        'failure',
        'any',
      ]),
    )
    .option('--since <seq>', 'send the events after this one, or "now"');

export function webhooksCommands(commands: Commands): void {
  const webhooks = commands.group(
    'webhooks',
    'addresses to which the service sends events (scopes events:read and webhooks:write)',
  );
  withKey(webhooks.command('list', 'list the webhooks', list));
  withFields(
    withKey(
      webhooks.command(
        'create',
        'create a webhook and print its secret, which is returned only once',
        create,
      ),
    )
      .requiredOption('--url <url>', 'where to send events')
      .requiredOption('--events <types>', 'types or patterns such as user.*, separated by commas; * for all'),
  );
  withKey(webhooks.command('get', 'show a webhook', get)).argument(...ID);
  withFields(
    withKey(webhooks.command('update', 'change, pause or turn on a webhook', update))
      .argument(...ID)
      .option('--url <url>', 'where to send events')
      .option('--events <types>', 'types or patterns, separated by commas')
      .addOption(new Option('--status <status>', 'pause it or turn it on').choices(['active', 'paused'])),
  )
    // After --ordered, so that neither is the default.
    .option('--no-ordered', 'do not wait for the event before');
  withKey(webhooks.command('delete', 'delete a webhook', remove)).argument(...ID);
  withKey(webhooks.command('test', 'send a test event now, and print the result', test)).argument(...ID);
  withKey(webhooks.command('replay', 'send past events again', replay))
    .argument(...ID)
    .option('--from-seq <seq>', 'the first event')
    .option('--to-seq <seq>', 'the last event (default: the last one that was sent)')
    .option('--delivery <id>', 'only the event of this delivery');
  withKey(
    webhooks.command(
      'rotate',
      'replace the secret and print the new one, which is returned only once',
      rotate,
    ),
  )
    .argument(...ID)
    .option('--grace-seconds <seconds>', 'how long both secrets sign (default: 86400)');
  withKey(webhooks.command('deliveries', 'list attempts to deliver events, newest first', deliveries))
    .argument(...ID)
    .addOption(
      new Option('--status <status>', 'only these').choices(['succeeded', 'failed', 'pending', 'abandoned']),
    )
    .option('--limit <count>', 'at most this many, up to 100');
}

const list: Action = async (run, _, options) => {
  const webhooks: Webhook[] = [];
  for await (const webhook of keyClientOf(run, options).webhooks.list({ limit: 100 })) webhooks.push(webhook);
  const rows = webhooks.map((webhook) => [
    webhook.id,
    statusOf(webhook),
    String(webhook.lag),
    plain(webhook.events.join(',')),
    plain(webhook.url),
  ]);
  run.show({ webhooks }, table([['ID', 'STATUS', 'LAG', 'EVENTS', 'URL'], ...rows]));
};

const create: Action = async (run, _, options) => {
  const { url, events } = options as { url: string; events: string };
  const fields = { ...fieldsOf(options), url, events: events.split(',') };
  const result = await keyClientOf(run, options).webhooks.create(fields);
  run.show(result, `${describe(result.webhook)}\nSecret, returned only once: ${result.secret}`);
};

const get: Action = async (run, [id], options) => {
  const webhook = await keyClientOf(run, options).webhooks.get(String(id));
  run.show({ webhook }, describe(webhook));
};

const update: Action = async (run, [id], options) => {
  const changes = fieldsOf(options);
  if (Object.keys(changes).length === 0)
    throw new UsageError('Name at least one change, such as --status paused.');
  const webhook = await keyClientOf(run, options).webhooks.update(String(id), changes);
  run.show({ webhook }, describe(webhook));
};

const remove: Action = async (run, [id], options) => {
  await keyClientOf(run, options).webhooks.delete(String(id));
  run.show({ deleted: true }, `Webhook ${id} is deleted.`);
};

const test: Action = async (run, [id], options) => {
  const delivery = await keyClientOf(run, options).webhooks.test(String(id));
  const { errorCode, httpStatus, durationMs } = delivery;
  const result = errorCode === null ? 'accepted' : `failed: ${errorCode}`;
  run.show({ delivery }, `The test event was ${result} (status ${httpStatus ?? '-'}, ${durationMs} ms).`);
  return errorCode === null ? EXIT.done : EXIT.refused;
};

const replay: Action = async (run, [id], options) => {
  const deliveryId = options.delivery as string | undefined;
  const fromSeq = wholeNumber(options, 'fromSeq');
  const toSeq = wholeNumber(options, 'toSeq');
  if ((deliveryId === undefined) === (fromSeq === undefined))
    throw new UsageError('Pass either --from-seq or --delivery.');
  const events = await keyClientOf(run, options).webhooks.replay(String(id), { fromSeq, toSeq, deliveryId });
  run.show({ replay: events }, `Events ${events.fromSeq} to ${events.toSeq} are sent again.`);
};

const rotate: Action = async (run, [id], options) => {
  const graceSeconds = wholeNumber(options, 'graceSeconds');
  const secret = await keyClientOf(run, options).webhooks.rotateSecret(String(id), { graceSeconds });
  run.show({ secret }, `New secret, returned only once: ${secret}`);
};

const deliveries: Action = async (run, [id], options) => {
  const { status } = options as Pick<WebhookDeliveryListParams, 'status'>;
  const filter = { status, limit: wholeNumber(options, 'limit') };
  const page = await keyClientOf(run, options).webhooks.listDeliveries(String(id), filter).first();
  const rows = page.deliveries.map((delivery) => [
    delivery.id,
    delivery.at,
    plain(delivery.type),
    String(delivery.seq ?? '-'),
    String(delivery.attempt),
    delivery.status,
    responseOf(delivery),
  ]);
  run.show(page, table([['ID', 'TIME', 'TYPE', 'SEQ', 'ATTEMPT', 'STATUS', 'RESPONSE'], ...rows]));
};

const responseOf = ({ httpStatus, errorCode, durationMs }: WebhookDelivery) =>
  `${httpStatus ?? errorCode ?? '-'} in ${durationMs} ms`;

const statusOf = ({ status, disabledReason }: Webhook) =>
  disabledReason === null ? status : `${status} (${disabledReason})`;

const describe = (webhook: Webhook) =>
  [
    `Webhook ${webhook.id}: ${statusOf(webhook)}`,
    `URL:         ${plain(webhook.url)}`,
    `Events:      ${plain(webhook.events.join(','))} (${webhook.outcome}${webhook.ordered ? ', ordered' : ''})`,
    `Sent up to:  ${webhook.cursor} (${webhook.lag} behind)`,
    `Public key:  ${webhook.publicKey}`,
  ].join('\n');

function fieldsOf(options: Options): WebhookUpdateParams {
  const { url, events, description, ordered, outcome, status, since } = options;
  return {
    ...(url !== undefined && { url: String(url) }),
    ...(events !== undefined && { events: String(events).split(',') }),
    ...(description !== undefined && { description: description === '' ? null : String(description) }),
    ...(ordered !== undefined && { ordered: ordered === true }),
    ...(outcome !== undefined && { outcome: outcome as 'any' }),
    ...(status !== undefined && { status: status as 'active' }),
    ...(since !== undefined && {
      since: since === 'now' ? 'now' : (wholeNumber(options, 'since') as number),
    }),
  };
}
