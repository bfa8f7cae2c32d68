import { randomBytes } from 'node:crypto';
import { Option } from 'commander';
import type { Client } from '../client.js';
import type { Action, Commands, Options, Run } from '../command.js';
import { UsageError } from '../failure.js';
import { clientOf, withServer } from '../settings.js';
import { plain, stepsOn, table } from '../terminal.js';

interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly environment: string;
  readonly scopes: readonly string[];
  readonly status: string;
  readonly lastUsedAt: string | null;
}

export function accountCommands(commands: Commands): void {
  withServer(
    commands.command(
      'quickstart',
      'walk from an account to a verified proof, each step told',
      async (run, _, options) => {
        const { quickstart } = await import('../phone/quickstart.js');
        await quickstart(clientOf(run, options).baseUrl, stepsOn(run.json ? run.err : run.out, run.style));
        if (run.json) run.show({ ok: true }, '');
      },
    ),
  );
  withServer(commands.command('signup', 'make an account, with its first key', signUp))
    .argument('<email>', 'what the account logs in with')
    .option('--company <name>', 'the name of the company', 'Example');
  const keys = commands.group(
    'keys',
    'the API keys of an account (SVC_CONSOLE_TOKEN, or SVC_EMAIL and SVC_PASSWORD)',
  );
  withServer(keys.command('list', 'show the keys, active and revoked', listKeys));
  withServer(keys.command('create', 'make a key and show it this once', createKey))
    .argument('<name>', 'what the key is for')
    .addOption(
      new Option('--environment <environment>', 'what it reads and writes')
        .choices(['live', 'test'])
        .default('test'),
    )
    .option('--scopes <scopes>', 'separated by commas (all but those of simulated sign-on)');
  withServer(keys.command('revoke', 'end a key at once and for good', revokeKey)).argument(
    '<id>',
    'of the key',
  );
}

const signUp: Action = async (run, [email], options) => {
  const made = run.env.SVC_PASSWORD ? undefined : `${randomBytes(15).toString('base64url')}-7a`;
  const result = await clientOf(run, options).call<{
    token: string;
    tenant: { id: string };
    apiKey: { key: string };
  }>('POST', '/api/console/signup', {
    body: { email, password: made ?? run.env.SVC_PASSWORD, companyName: options.company },
  });
  const password = made === undefined ? [] : [`Password, shown this once: ${made}`];
  const lines = [
    `Account ${plain(String(email))}, tenant ${result.tenant.id}.`,
    ...password,
    `First key (live), shown this once: ${result.apiKey.key}`,
    'Next: `svc keys create NAME --environment test` makes a key for trying things.',
  ];
  run.show({ ...result, ...(made && { password: made }) }, lines.join('\n'));
};

/** The console's token: given, or of a log-in. */
export async function consoleToken({ env }: Run, client: Client): Promise<string> {
  const { SVC_CONSOLE_TOKEN: given } = env;
  if (given && !/^[\w.-]+$/.test(given))
    throw new UsageError(
      'SVC_CONSOLE_TOKEN does not hold a console token: one is letters, digits, dots and dashes.',
    );
  if (given) return given;
  const { SVC_EMAIL: email, SVC_PASSWORD: password } = env;
  if (!email || !password)
    throw new UsageError('This needs the account: set SVC_EMAIL and SVC_PASSWORD, or SVC_CONSOLE_TOKEN.');
  const { token } = await client.call<{ token: string }>('POST', '/api/console/login', {
    body: { email, password },
  });
  return token;
}

/** A call of the console, logged in. */
async function inConsole<T>(
  run: Run,
  options: Options,
  ...[method, path, body]: [...Parameters<Client['call']>]
) {
  const client = clientOf(run, options);
  return client.call<T>(method, path, { ...body, as: await consoleToken(run, client) });
}

const listKeys: Action = async (run, _, options) => {
  const client = clientOf(run, options);
  const as = await consoleToken(run, client);
  const keys: ApiKey[] = [];
  let query: string | undefined = 'limit=100';
  while (query !== undefined) {
    const path = `/api/console/keys?${query}`;
    const page: { keys: ApiKey[]; nextCursor: string | null } = await client.call('GET', path, { as });
    keys.push(...page.keys);
    query = page.nextCursor ? `limit=100&cursor=${page.nextCursor}` : undefined;
  }
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
  const body = { name, environment, ...(typeof scopes === 'string' && { scopes: scopes.split(',') }) };
  const result = await inConsole<{ apiKey: ApiKey & { key: string } }>(
    run,
    options,
    'POST',
    '/api/console/keys',
    {
      body,
    },
  );
  const { apiKey } = result;
  run.show(
    result,
    `${apiKey.environment} key ${apiKey.id}, scopes ${apiKey.scopes.join(' ')}\nShown this once: ${apiKey.key}\nNext: export SVC_API_KEY=${apiKey.key}`,
  );
};

const revokeKey: Action = async (run, [id], options) => {
  const path = `/api/console/keys/${encodeURIComponent(String(id))}`;
  const result = await inConsole<{ apiKey: ApiKey }>(run, options, 'DELETE', path);
  run.show(result, `${plain(result.apiKey.name)} (${result.apiKey.id}): ${result.apiKey.status}.`);
};
