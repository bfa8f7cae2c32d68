import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { type Client, createClient, readBaseUrl } from './client.js';
import type { Context, Options } from './command.js';
import { UsageError } from './failure.js';

/** The options of every command that calls a server. */
export const withServer = (command: Command): Command =>
  command.option('--base-url <url>', 'the server to call, in place of BASE_URL');

/** The same, of those that do so with an API key. */
export const withKey = (command: Command): Command =>
  withServer(command).option('--key-file <file>', 'a file that holds the API key, in place of SVC_API_KEY');

export function clientOf({ env }: Pick<Context, 'env'>, { baseUrl }: Options): Client {
  const address = String(baseUrl ?? (env.BASE_URL || `http://localhost:${env.PORT || 3000}`));
  const seconds = env.SVC_TIMEOUT;
  if (!seconds) return createClient(readBaseUrl(address));
  if (!/^[1-9][0-9]{0,3}$/.test(seconds))
    throw new UsageError('SVC_TIMEOUT must be whole seconds, from 1 to 9999.');
  return createClient(readBaseUrl(address), Number(seconds) * 1000);
}

/** Never an argument: those are seen by every user of the machine. */
export function apiKeyOf({ env }: Pick<Context, 'env'>, { keyFile }: Options): string {
  const [source, text] =
    typeof keyFile === 'string'
      ? [`The file ${keyFile}`, readKeyFile(keyFile)]
      : ['SVC_API_KEY', env.SVC_API_KEY];
  if (!text)
    throw new UsageError('This needs an API key: set SVC_API_KEY, or name a file of it with --key-file.');
  if (!/^svc_(live|test)_[0-9a-f]{48}$/.test(text))
    throw new UsageError(
      `${source} does not hold an API key: one is svc_live_ or svc_test_ and 48 hex digits. Was it cut off?`,
    );
  return text;
}

/** The environment is a part of the key. */
export const environmentOf = (apiKey: string) => (apiKey.startsWith('svc_test_') ? 'test' : 'live');

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new UsageError(`--key-file cannot be read: ${(error as Error).message}`);
  }
}
