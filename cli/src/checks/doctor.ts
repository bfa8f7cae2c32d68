import { type Environment, type Svc, SvcError } from '@svc/sdk';
import { type Check, checkServer, clockCheck, fail, ok, warn } from '@svc/server/doctor';
import { asFailure, type Options, type Run } from '../command.js';
import { Failure, isConnectionRefused } from '../failure.js';
import { createNonce } from '../phone/acts.js';
import { clientOf, environmentOf, keyClientOf } from '../settings.js';
import { plain } from '../terminal.js';
import { VERSION } from '../version.js';

/** What a server needs, checked with its settings, and the server itself if it runs. */
export async function operatorChecks(run: Run): Promise<Check[]> {
  const { checks, baseUrl } = await checkServer(run.env);
  return baseUrl === undefined
    ? [...checks]
    : [...checks, ...(await reachChecks(clientOf(run, { baseUrl }), false))];
}

/** What a caller needs. */
export async function clientChecks(run: Run, options: Options): Promise<Check[]> {
  let svc: Svc;
  try {
    svc = clientOf(run, options);
  } catch (error) {
    return [fail('settings', sentenceOf(error), 'docs/cli.md has every setting.')];
  }
  const checks = await reachChecks(svc);
  if (checks[0]?.status === 'fail') return checks;
  return [...checks, await keyCheck(run, options)];
}

/** The address, the version and the clock of a server. */
async function reachChecks(svc: Svc, mustRun = true): Promise<Check[]> {
  const { baseUrl } = svc;
  let health: Awaited<ReturnType<Svc['getHealth']>>;
  try {
    health = await svc.getHealth();
  } catch (error) {
    const detail = sentenceOf(error);
    return isConnectionRefused(error as Error) && !mustRun
      ? [warn('server', detail, 'Expected before a start.')]
      : [fail('server', detail, 'Fix this first, because the other checks need the server.')];
  }
  // The Date header has whole seconds, so the middle of the second is the best guess.
  const aheadMs = svc.serverNow() + 500 - Date.now();
  const version = plain(String(health.version));
  const reached = `${baseUrl} responds, version ${version}`;
  const degraded = Object.entries(health.subsystems ?? {})
    .filter(([, { status }]) => status === 'down' || status === 'degraded')
    .map(([name]) => plain(name));
  return [
    degraded.length === 0
      ? ok('server', reached)
      : fail(
          'server',
          `${reached}, but is degraded: ${degraded.join(', ')}`,
          `See ${baseUrl}/api/health and the server’s log.`,
        ),
    version === VERSION
      ? ok('version', `the server and this command line are ${VERSION}`)
      : warn(
          'version',
          `the server is ${version}, this command line ${VERSION}`,
          'Use the command line of the server’s version.',
        ),
    clockCheck('clock', 'the server’s', aheadMs),
  ];
}

async function keyCheck(run: Run, options: Options): Promise<Check> {
  try {
    const svc = keyClientOf(run, options);
    const { tenantId } = await createNonce(svc);
    return ok('key', `a key of the ${svc.environment} environment, of tenant ${tenantId}`);
  } catch (error) {
    return fail(
      'key',
      sentenceOf(error, environmentOf(run, options)),
      'Create one with `svc keys create`, and set SVC_API_KEY.',
    );
  }
}

/** The message of an expected failure; anything else is thrown. */
function sentenceOf(error: unknown, environment?: Environment): string {
  if (error instanceof SvcError || error instanceof Failure) return asFailure(error, environment).message;
  throw error;
}
