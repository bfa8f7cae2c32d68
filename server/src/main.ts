import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ChainClient } from '@svc/chain/client';
import { commitmentToHex } from '@svc/zk/field';
import { hasContributors, loadPinnedKey, type PinnedKey } from '@svc/zk/setup/artifacts';
import { createVerifierPool, type VerifierPool } from '@svc/zk/verifier/pool';
import { type App, createApp } from './app.js';
import { systemTimers } from './base/clock.js';
import { type ChainConfig, type Config, ConfigError, loadConfig } from './base/config/config.js';
import { createPasswords } from './base/crypto/passwords.js';
import { systemRandom } from './base/crypto/random.js';
import { readOrCreateSecret } from './base/crypto/secret.js';
import { bufferedOutput, createLog, type Log } from './base/telemetry/log.js';
import { isCheapToTrack, trackRequests } from './base/telemetry/request-context.js';
import { watchRejections } from './base/telemetry/unhandled.js';
import { signsHere } from './bin/inspect.js';
import { checkRestored } from './bin/restore.js';
import { prepareSealing } from './bin/sealing.js';
import { serveOperator, socketPath } from './bin/socket.js';
import { openRedis } from './cluster/redis.js';
import { openMachines } from './db/citus/machines.js';
import { withPlacement } from './db/citus/placement.js';
import { databaseClock } from './db/database-clock.js';
import { openEmbedded } from './db/embedded.js';
import { MIGRATIONS, migrate, readMigrations } from './db/migrate.js';
import { openPostgres } from './db/pg.js';
import { adaptLimit } from './http/admission/limit.js';
import type { Deps } from './http/deps.js';
import { serveMetrics } from './http/metrics-listener.js';
import { jobsOf, startJobs } from './jobs.js';

/** In the npm package, the built pages are part of the package. */
const isPackage = import.meta.url.includes('/node_modules/');
const PAGES = fileURLToPath(new URL(isPackage ? '../pages' : '../../console/dist', import.meta.url));
const VERIFIER_QUEUE = 512;
/** Four concurrent writes, and reads. */
const CONNECTIONS_PER_MACHINE = 8;
/** How long a list waits for the read replica before the primary server is asked. */
const REPLICA_TIMEOUT_MS = 2_000;
/** How long every response tells its client to connect again, before idle connections are closed. */
const LINGER_MS = 200;
/** How long a shutdown waits for requests in flight after it stopped listening, and then for everything else. */
const GRACE_MS = 5_000;
const SHUTDOWN_MS = 8_500;
/** When e-mails that are not sent yet are dropped. */
const MAIL_MS = 5_500;

/** Creates the process's dependencies and serves until SIGTERM or SIGINT. @throws if the start fails */
export async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const log = createLog(config.logLevel, bufferedOutput());
  if (isCheapToTrack(process.versions.node)) trackRequests();
  const unhandled = watchRejections(log);
  const zk = loadPinnedKey();
  if (!hasContributors(zk.setup, config.minCeremonyContributors)) {
    throw new ConfigError(
      `REQUIRE_CEREMONY_KEYS requires keys from a ceremony with at least ${config.minCeremonyContributors} contributors. The pinned keys come from a ${zk.setup.kind} set-up with ${zk.setup.contributors}.`,
    );
  }
  if (zk.setup.kind === 'development' && config.production)
    log.warn(
      'The proving keys come from a development set-up. The party that generated them could forge proofs.',
    );
  if (config.demoAuth) {
    log.warn('Simulated sign-on is enabled: anyone with an API key for it can sign on as any user.');
  } else if (/^(true|1)$/.test(process.env.ENABLE_DEMO_AUTH ?? '')) {
    log.warn('ENABLE_DEMO_AUTH has no effect in production without ALLOW_DEMO_AUTH_IN_PRODUCTION.');
  }
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };

  if (!existsSync(PAGES)) log.warn('The pages are not built, so only the API is served: npm run build');

  const verifier = await openVerifier(config, zk, log);
  const secret = config.secret ?? readOrCreateSecret(config.dataDir);
  const onIdleError = (err: Error) => log.warn({ err }, 'database connection lost');
  const opened =
    config.databaseUrl === undefined
      ? await openEmbedded(config.dataDir)
      : openPostgres({ url: config.databaseUrl, onIdleError });
  const applied = await migrate(opened, await readMigrations(MIGRATIONS), { log });
  if (applied.length > 0) log.info({ applied }, 'migrated');
  const entry = await withPlacement(opened);
  if (entry.isSpread && config.databaseReadUrl !== undefined)
    throw new ConfigError(
      'DATABASE_READ_URL cannot be used with a database that is spread over several machines.',
    );
  const standby =
    config.databaseReadUrl === undefined
      ? undefined
      : openPostgres({
          url: config.databaseReadUrl,
          timeoutMs: REPLICA_TIMEOUT_MS,
          connectMs: REPLICA_TIMEOUT_MS / 3,
          onIdleError: (err) => log.warn({ err }, 'connection to the read replica lost'),
        });
  const machines = entry.isSpread
    ? openMachines({
        entry,
        log,
        open: (host, port) =>
          openPostgres({
            url: onMachine(config.databaseUrl as string, host, port),
            connections: CONNECTIONS_PER_MACHINE,
            onIdleError,
          }),
      })
    : undefined;
  // A node also starts while a machine hangs. The job asks again.
  await machines
    ?.probe()
    .catch((err: unknown) => log.warn({ err }, 'machines of the database do not respond'));
  const db = machines?.db ?? entry;
  const clock = databaseClock(db);
  await clock.sync();

  // Before anything of the database is used or changed.
  const { proofsFrom, erasures } = await checkRestored({ db, config });

  const { redisUrl } = config;
  const redis = redisUrl ? await openRedis({ url: redisUrl, random: systemRandom, log }) : undefined;

  const chain = config.chain && (await openChain(config.chain, zk.sha256));

  let ready = true;
  const { http, deps } = await createApp({
    config,
    secret,
    db,
    ...(standby && { standby }),
    ...(machines && { machines }),
    clock,
    timers: systemTimers,
    random: systemRandom,
    log,
    passwords: await createPasswords(),
    verifier,
    zk,
    version,
    pagesFolder: PAGES,
    ready: () => ready,
    proofsFrom,
    ...(erasures && { erasures }),
    ...(redis && { redis }),
    ...(chain && { chain }),
  });
  deps.metrics.counter(
    'svc_unhandled_total',
    'Promises that the work of a request left unhandled when they rejected. Anything but 0 is a fault.',
    unhandled,
  );
  // With another secret all tokens would be rejected, and every audit chain that is written to would fail its next check.
  if (!(await signsHere(db, deps.keyring)))
    throw new ConfigError(
      'SVC_SECRET is not the one that this database was signed with. Set that one, or for a rotation also SVC_SECRET_PREVIOUS.',
    );
  await prepareSealing(deps);
  await deps.replica?.start();
  adaptLimit(deps);
  if (deps.mail) void deps.mail.check();
  else log.info('SMTP_URL is not set, so no e-mail is sent');
  const jobs = startJobs(deps, jobsOf(deps, clock));
  const operator =
    config.databaseUrl === undefined ? await listenToOperator(deps, config.dataDir) : undefined;

  const metrics = config.metrics && (await listenToPrometheus(deps, config.metrics));

  /**
   * Readiness fails first, while balancers notice and everything is still served. Then the requests in flight end, then
   * waiting writes are committed. A second signal changes nothing.
   */
  const shutdown = async (signal: string) => {
    if (!ready) return;
    ready = false;
    let waitsFor = 'requests and jobs';
    log.info({ signal, drainSeconds: config.drainSeconds }, 'shutting down');
    await delay(config.drainSeconds * 1000);
    setTimeout(() => {
      log.error({ signal, afterMs: SHUTDOWN_MS, waitsFor }, 'the shutdown took too long and was forced');
      process.exit(1);
    }, SHUTDOWN_MS).unref();
    const mailEnds = AbortSignal.timeout(MAIL_MS);
    setTimeout(() => {
      if (deps.admission.inProgress > 0)
        log.warn({ requests: deps.admission.inProgress }, 'requests in flight were cut off by the shutdown');
      http.server.closeAllConnections();
    }, GRACE_MS).unref();
    deps.keyPairs.close();
    await delay(LINGER_MS);
    await Promise.all([
      http.close(),
      operator?.close(),
      // A job that waits for a blockchain node may take longer than a shutdown; its next run continues the work.
      Promise.race([jobs.stop(), delay(GRACE_MS, undefined, { ref: false })]),
      deps.webhooks.close(),
    ]);
    waitsFor = 'storage';
    // Requests and jobs have ended, so no message follows. Nothing else waits for the mail server.
    const closeStorage = async () => {
      await deps.meter.close();
      await deps.verifier.close();
      await redis?.close();
      deps.replica?.stop();
      await standby?.close();
      await erasures?.close();
      await db.close();
    };
    await Promise.all([closeStorage(), deps.mail?.close(mailEnds)]);
    await metrics?.close();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void shutdown(signal));

  await http.listen({ port: config.port, host: config.host });
  announce(config);
}

/** The URL of the same database on another machine. */
const onMachine = (url: string, host: string, port: number): string =>
  Object.assign(new URL(url), { host: `${host.includes(':') ? `[${host}]` : host}:${port}` }).href;

async function openVerifier({ zkKernel }: Config, zk: PinnedKey, log: Log): Promise<VerifierPool> {
  try {
    return await createVerifierPool({
      key: zk,
      workers: Math.max(1, Math.min(8, availableParallelism() - 1)),
      queueLimit: VERIFIER_QUEUE,
      kernel: zkKernel,
      onDifference: ({ kernel, commitment }) =>
        log.error(
          { commitment: commitmentToHex(commitment), kernel },
          kernel === 'accepted'
            ? 'mcl rejects a proof that the kernel accepted; mcl verifies all proofs from now on'
            : 'mcl accepts a proof that the kernel rejected; mcl verifies all proofs from now on',
        ),
      onUnusable: ({ reason, isWrong }) =>
        log[isWrong ? 'error' : 'info']({ reason }, 'a verifier thread does not use a kernel'),
    });
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (zkKernel === undefined || !(cause instanceof Error) || !cause.message.includes('is unusable'))
      throw error;
    throw new ConfigError(`ZK_KERNEL=${zkKernel} does not work here. ${cause.message}`);
  }
}

/** The client. Its library is only loaded if a blockchain is configured. */
async function openChain(settings: ChainConfig, vkeySha256: string) {
  const { createChainClient } = await import('@svc/chain/client');
  let client: ChainClient;
  try {
    client = createChainClient(settings);
  } catch (error) {
    throw error instanceof TypeError ? new ConfigError(`CHAIN_CONTRACTS: ${error.message}`) : error;
  }
  if (client.vkeySha256 !== vkeySha256)
    throw new ConfigError(
      'The contracts were compiled for another verification key than the pinned one. Run `npm run gen`.',
    );
  return client;
}

/** No other process can open the embedded database while this one does, so the command line connects to this process. */
async function listenToOperator(deps: App['deps'], dataDir: string) {
  const path = socketPath(dataDir);
  if (path !== undefined) return serveOperator(deps, path);
  deps.log.warn(
    'No socket fits in DATA_DIR: the command line works on this database only while the server is stopped.',
  );
  return undefined;
}

async function listenToPrometheus({ metrics }: Deps, address: NonNullable<Config['metrics']>) {
  metrics.watchProcess();
  return serveMetrics(metrics, address).catch((error: unknown) => {
    throw new ConfigError(`METRICS_HOST and METRICS_PORT cannot be listened on: ${reason(error)}`);
  });
}

function announce({ baseUrl, databaseUrl, dataDir }: Config): void {
  const setting = baseUrl === 'http://localhost:3000' ? '' : `BASE_URL=${baseUrl} `;
  const ways = [
    ...(existsSync(PAGES) ? [`in a browser:          ${baseUrl}/dashboard/signup`] : []),
    `in another terminal:   ${setting}${isPackage ? 'npx svc' : 'npm run'} quickstart`,
  ];
  process.stdout.write(
    `\nServing on ${baseUrl} (database: ${databaseUrl === undefined ? `embedded, in ${dataDir}` : 'PostgreSQL'}).\n` +
      `Next, ${ways.join('\nor    ')}\n\n`,
  );
}

/** An error with several addresses has no message. */
export const reason = (error: unknown) =>
  error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
