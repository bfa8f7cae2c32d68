import { readFileSync } from 'node:fs';
import { type Environment, Svc, type SvcOptions } from '@svc/sdk';
import type { Command } from 'commander';
import type { Context, Options } from './command.js';
import { UsageError } from './failure.js';

const DEFAULT_TIMEOUT_SECONDS = 30;

/** The options of every command that calls a server. */
export const withServer = (command: Command): Command =>
  command.option('--base-url <url>', 'the server to call (default: BASE_URL)');

/** The options of every command that calls a server with an API key. */
export const withKey = (command: Command): Command =>
  withServer(command).option('--key-file <file>', 'a file with the API key (default: SVC_API_KEY)');

/** Requests are never retried, because a person or a script decides about that. */
export function clientOptions({ env }: Pick<Context, 'env'>, { baseUrl }: Options): SvcOptions {
  const seconds = env.SVC_TIMEOUT || String(DEFAULT_TIMEOUT_SECONDS);
  if (!/^[1-9][0-9]{0,3}$/.test(seconds))
    throw new UsageError('SVC_TIMEOUT must be a whole number of seconds from 1 to 9999.');
  return {
    baseUrl: String(baseUrl ?? (env.BASE_URL || `http://localhost:${env.PORT || 3000}`)),
    timeoutMs: Number(seconds) * 1000,
    maxRetries: 0,
  };
}

/** A client without a credential. */
export const clientOf = (run: Pick<Context, 'env'>, options: Options): Svc =>
  new Svc(clientOptions(run, options));

/** A client with the API key. */
export const keyClientOf = (run: Pick<Context, 'env'>, options: Options): Svc =>
  new Svc({ ...clientOptions(run, options), apiKey: apiKeyOf(run, options) });

/** A client with a console token, which is given or comes from a login. */
export async function consoleClientOf(run: Pick<Context, 'env'>, options: Options): Promise<Svc> {
  const settings = clientOptions(run, options);
  // Reports wrong settings before a missing account.
  const visitor = new Svc(settings);
  const { SVC_CONSOLE_TOKEN: given, SVC_EMAIL: email, SVC_PASSWORD: password } = run.env;
  if (given && !/^[\w.-]+$/.test(given))
    throw new UsageError(
      'SVC_CONSOLE_TOKEN is not a console token, which has only letters, digits, dots, dashes and underscores. Copy the token again, or set SVC_EMAIL and SVC_PASSWORD.',
    );
  if (given) return new Svc({ ...settings, consoleToken: given });
  if (!email || !password)
    throw new UsageError(
      'This command needs an account. Set SVC_EMAIL and SVC_PASSWORD, or SVC_CONSOLE_TOKEN.',
    );
  const { token } = await visitor.console.logIn({ email, password });
  return new Svc({ ...settings, consoleToken: token });
}

/** Never an argument, because every user of the machine can see arguments. */
export function apiKeyOf({ env }: Pick<Context, 'env'>, { keyFile }: Options): string {
  const [source, text] =
    typeof keyFile === 'string'
      ? [`The content of ${keyFile}`, readKeyFile(keyFile)]
      : ['SVC_API_KEY', env.SVC_API_KEY];
  if (!text)
    throw new UsageError(
      'This command needs an API key. Set SVC_API_KEY, or name a file that contains it with --key-file.',
    );
  if (!/^svc_(live|test)_[0-9a-f]{48}$/.test(text))
    throw new UsageError(
      `${source} is not an API key. A key is svc_live_ or svc_test_ and 48 hex digits. Check that it is complete.`,
    );
  return text;
}

/** The environment of the API key; undefined if there is none. */
export function environmentOf(run: Pick<Context, 'env'>, options: Options): Environment | undefined {
  try {
    return apiKeyOf(run, options).split('_')[1] as Environment;
  } catch {
    return undefined;
  }
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new UsageError(`--key-file cannot be read: ${(error as Error).message}`);
  }
}
