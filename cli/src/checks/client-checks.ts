import type { Answer, Client } from '../client.js';
import type { Options, Run } from '../command.js';
import { Failure } from '../failure.js';
import { askNonce } from '../phone/acts.js';
import { apiKeyOf, clientOf, environmentOf } from '../settings.js';
import { plain } from '../terminal.js';
import { VERSION } from '../version.js';
import { type Check, clockCheck, fail, ok, warn } from './checks.js';

/** What stands between this machine and a server: the address, what answers there, its version, and its clock. */
export async function serverChecks(client: Client, mustRun = true): Promise<Check[]> {
  const { baseUrl } = client;
  const before = Date.now();
  let health: Answer;
  try {
    health = await client.ask('GET', '/api/health');
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const detail = error.message;
    return error.cause === 'ECONNREFUSED' && !mustRun
      ? [warn('server', detail, 'Right before a start.')]
      : [fail('server', detail, 'Mend that first: nothing else can be asked.')];
  }
  const { body, headers } = health;
  const answered = `${baseUrl} answers, version ${plain(String(body.version))}`;
  const degraded = Object.entries((body.subsystems ?? {}) as Record<string, { status: string }>)
    .filter(([, { status }]) => status === 'down' || status === 'degraded')
    .map(([name]) => plain(name));
  // Whole seconds, and the answer's way: half of each is a fair guess.
  const aheadMs = Date.parse(headers.get('date') ?? '') + 500 - (before + Date.now()) / 2;
  return [
    degraded.length === 0
      ? ok('server', answered)
      : fail(
          'server',
          `${answered}, and is degraded: ${degraded.join(', ')}`,
          `See ${baseUrl}/api/health and the server’s log.`,
        ),
    body.version === VERSION
      ? ok('version', `the server and this command line are ${VERSION}`)
      : warn(
          'version',
          `the server is ${plain(String(body.version))}, this command line ${VERSION}`,
          'Use the command line of the server’s version.',
        ),
    ...(Number.isNaN(aheadMs) ? [] : [clockCheck('clock', 'the server’s', aheadMs)]),
  ];
}

/** What a developer needs who calls the service. */
export async function clientChecks(run: Run, options: Options): Promise<Check[]> {
  let client: Client;
  try {
    client = clientOf(run, options);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [fail('settings', error.message, 'docs/cli.md has every setting.')];
  }
  const checks = await serverChecks(client);
  if (checks[0]?.status === 'fail') return checks;
  return [...checks, await keyCheck(client, () => apiKeyOf(run, options))];
}

async function keyCheck(client: Client, key: () => string): Promise<Check> {
  try {
    const apiKey = key();
    const { tenantId } = await askNonce(client, apiKey);
    return ok('key', `a key of the ${environmentOf(apiKey)} environment, of tenant ${tenantId}`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return fail('key', error.message, 'Make one with `svc keys create`, and set SVC_API_KEY.');
  }
}
