import { randomBytes } from 'node:crypto';
import type { ApiKey, ApiKeyCreateParams } from '@svc/sdk';
import { Option } from 'commander';
import type { Action, Commands } from '../command.js';
import { clientOf, clientOptions, consoleClientOf, withServer } from '../settings.js';
import { plain, stepsOn, table } from '../terminal.js';
import { wholeNumber } from './numbers.js';

const DAY_SECONDS = 86_400;

export function accountCommands(commands: Commands): void {
  withServer(
    commands.command(
      'quickstart',
      'go from a new account to a verified proof, and print each step',
      async (run, _, options) => {
        const { quickstart } = await import('../phone/quickstart.js');
        await quickstart(clientOptions(run, options), stepsOn(run.json ? run.err : run.out, run.style));
        if (run.json) run.show({ ok: true }, '');
      },
    ),
  );
  withServer(commands.command('signup', 'create an account with its first key', signUp))
    .argument('<email>', 'the login of the account')
    .option('--company <name>', 'the name of the company', 'Example');
  const keys = commands.group(
    'keys',
    'the API keys of an account (SVC_CONSOLE_TOKEN, or SVC_EMAIL and SVC_PASSWORD)',
  );
  withServer(keys.command('list', 'list the keys, active and revoked', listKeys));
  withServer(keys.command('create', 'create a key, which is returned only once', createKey))
    .argument('<name>', 'the name of the key')
    .addOption(
      new Option('--environment <environment>', 'the environment of the key')
        .choices(['live', 'test'])
        .default('test'),
    )
    .option(
      '--scopes <scopes>',
      'separated by commas (default: all except recoveries, erasures, events, webhooks and simulated sign-on)',
    );
  withServer(keys.command('rotate', 'replace a key by a new one, which is returned only once', rotateKey))
    .argument('<id>', 'the id of the key')
    .option('--grace-seconds <seconds>', 'how long the old key still works, 0 to 604800 (default: 86400)');
  withServer(keys.command('revoke', 'revoke a key immediately and permanently', revokeKey)).argument(
    '<id>',
    'the id of the key',
  );
}

const signUp: Action = async (run, [email], options) => {
  const generated = run.env.SVC_PASSWORD ? undefined : `${randomBytes(15).toString('base64url')}-7a`;
  const result = await clientOf(run, options).console.signUp({
    email: String(email),
    password: String(generated ?? run.env.SVC_PASSWORD),
    companyName: String(options.company),
  });
  const lines = [
    `Account ${plain(String(email))}, tenant ${result.tenant.id}.`,
    ...(generated === undefined ? [] : [`Password, returned only once: ${generated}`]),
    `First key (live), returned only once: ${result.apiKey.key}`,
    'Next: `svc keys create NAME --environment test` creates a key for testing.',
  ];
  run.show({ ...result, ...(generated && { password: generated }) }, lines.join('\n'));
};

const listKeys: Action = async (run, _, options) => {
  const keys: ApiKey[] = [];
  for await (const key of (await consoleClientOf(run, options)).console.keys.list({ limit: 100 }))
    keys.push(key);
  const rows = keys.map((key) => [
    key.id,
    key.environment,
    key.status,
    key.prefix,
    key.lastUsedAt ?? 'never',
    plain(key.name),
  ]);
  run.show({ keys }, table([['ID', 'ENVIRONMENT', 'STATUS', 'PREFIX', 'LAST USED', 'NAME'], ...rows]));
};

const createKey: Action = async (run, [name], options) => {
  const { environment, scopes } = options;
  const key = {
    name,
    environment,
    ...(typeof scopes === 'string' && { scopes: scopes.split(',') }),
  } as ApiKeyCreateParams;
  const apiKey = await (await consoleClientOf(run, options)).console.keys.create(key);
  run.show(
    { apiKey },
    `${apiKey.environment} key ${apiKey.id}, scopes ${apiKey.scopes.join(' ')}\nReturned only once: ${apiKey.key}\nNext: export SVC_API_KEY=${apiKey.key}`,
  );
};

const rotateKey: Action = async (run, [id], options) => {
  const graceSeconds = wholeNumber(options, 'graceSeconds') ?? DAY_SECONDS;
  const { keys } = (await consoleClientOf(run, options)).console;
  const apiKey = await keys.rotate(String(id), graceSeconds);
  const old = graceSeconds === 0 ? 'has ended' : `ends in ${graceSeconds} seconds at the latest`;
  run.show(
    { apiKey },
    `${apiKey.environment} key ${apiKey.id} replaces ${String(id)}, which ${old}.\nReturned only once: ${apiKey.key}\nNext: export SVC_API_KEY=${apiKey.key}`,
  );
};

const revokeKey: Action = async (run, [id], options) => {
  const apiKey = await (await consoleClientOf(run, options)).console.keys.revoke(String(id));
  run.show({ apiKey }, `${plain(apiKey.name)} (${apiKey.id}): ${apiKey.status}.`);
};
