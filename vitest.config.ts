import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Workspaces resolve to each other's sources, so that a test never runs against a stale build.
const resolve = { conditions: ['source'] };
const ssr = { resolve: { conditions: ['source'], externalConditions: ['source'] } };

interface Options {
  include: string[];
  exclude?: string[];
  env?: Record<string, string>;
  minutes?: number;
  setupFiles?: string[];
}

/** `scripts/test.mjs` sets the suite. Without it, vitest runs all. */
const isQuick = process.env.SVC_TESTS === 'quick';

/**
 * What the quick suite (`npm test`) leaves out, by project, and why. `npm test -- --all` runs it, and so does naming a file.
 * All other files are in the quick suite, except on PGlite, where the list below says what is in it.
 */
const NOT_QUICK: Record<string, Record<string, string>> = {
  chain: {
    'chain/test/chain-dev.test.ts': 'runs the script that starts a development chain',
    'chain/test/contracts.test.ts': 'compiles and deploys the contracts, which rarely change',
  },
  zk: {
    'zk/test/{circuit,setup}.test.ts': 'tests the circuit and repeats its trusted setup',
    'zk/test/kernel/mutants.test.ts': 'puts faults into every function of the verifier’s kernels',
  },
  postgres: {
    'server/test/webhooks/{event-loop,interrupted,interrupted.pg,kill,retries}.test.ts':
      'receivers, nodes and processes that fail in the middle of deliveries',
    'server/test/oidc/{apache,attacks.pg,device,documented,kill,oauth4webapi,requests,tokens}.test.ts':
      'real relying parties, two nodes, processes that are killed, and attacks one by one',
    'cli/test/{login,operator-process,sandbox}.test.ts':
      'starts a process for each command, and plays through the sandbox',
    '{cli/test/docs,server/test/docs/{curl,guides,receivers,reference,samples}}.test.ts':
      'runs every command of the documentation',
    'server/test/docs/backup.pg.test.ts': 'restores whole databases, by the commands of the runbook',
    'sdk/test/{examples,package}.test.ts': 'packs and installs the SDK, and runs every example',
    'server/test/anchors/anchors-{crash.pg,faults,fees}.test.ts': 'replays failures of the blockchain',
    'sdk/test/records.test.ts': 'every field of every record, through the SDK',
    'server/test/database/dropped-databases.pg.test.ts': 'drops databases that are in use',
    'server/test/database/read-replica.pg.test.ts': 'starts a PostgreSQL server with a standby',
    'server/test/process/{sealing-start,start-together}.pg.test.ts': 'starts several processes',
    'server/test/records/filter-plans.pg.test.ts': 'reads the plans of every combination of filters',
    'server/test/process/{crash,model,process}.test.ts':
      'random operations, and many starts and kills of the process',
  },
  server: {
    'cli/src/checks/audit-check-example.test.ts': 'compares the example in Python with our own check',
    'scripts/alerts.test.mjs': 'runs Prometheus’ own program on the alerts',
    'scripts/packaging/pack.test.mjs': 'packs the command line and installs it',
  },
  pages: {
    'console/test/{dashboard,phone}/*-cases.test.ts': 'rare cases of what the quick suite does once',
    'console/test/dashboard/{audit,devices,keys,lists,overview,playground,profile,records,requests,security,shifts,usage}.test.ts':
      'one page of the dashboard in detail',
    'console/test/{docs,landing}.test.ts': 'pages without a sign-in',
    'console/test/phone/{pairing,relay}.test.ts':
      'sign-ins with a code one by one, and the relay attack in two browsers',
    'console/test/phone/asked.test.ts': 'every answer of a person who is asked for a sign-in',
    'console/test/phone/phone-home.test.ts':
      'the company, the history, languages and installing on the phone',
    'console/test/sign-in/**': 'the hosted sign-in pages; their server is tested',
    'console/test/{first-visit,pictures}.test.ts': 'every page: errors on a first visit, and its pictures',
    'console/test/dashboard/together.test.ts': 'several windows',
  },
};
/** Files that need more than Node. If a program is missing, the quick suite leaves them out and prints a line. */
const NEEDS: Record<string, string[]> = {
  chromium: ['console/test/**'],
  python3: [
    'cli/src/checks/audit-check-example.test.ts',
    'console/src/snippets/python.test.ts',
    'server/test/audit/audit-export.test.ts',
  ],
  'redis-server': [
    'server/src/cluster/shared-limiter.pg.test.ts',
    'server/test/process/{nodes,redis-lost}.pg.test.ts',
  ],
};
const missing = process.env.SVC_TESTS_WITHOUT?.split(',') ?? [];
/** On PGlite the quick suite runs what depends most on the driver: transactions, migrations, the audit chain, sweeps. */
const QUICK_ON_PGLITE = [
  'cli/test/quickstart.test.ts',
  'server/test/database/{drivers,housekeeping,lost-database,migrations,write-path}.test.ts',
  'server/test/process/journey.test.ts',
  'server/test/records/transitions.test.ts',
];

/** Crashes, rolling restarts, whole programs. They take minutes each, so only `npm run test:long` runs them. */
const LONG = 'server/test/**/*.long.test.ts';
/** `npm run test:long` runs these at length, `npm test` more briefly. */
const AT_LENGTH = [
  'zk/test/differential.test.ts',
  'server/test/http/http-fuzz.test.ts',
  'console/test/**/*.test.ts',
];
const LENGTHS = { ZK_DIFFERENTIAL_ROUNDS: '5000', HTTP_FUZZ_TIMES: '10', PAGES_LOOKS: 'every' };

/**
 * Files share their worker's modules (`isolate: false`), so that one in-memory database serves all the files of a
 * worker: starting one takes longer than most suites.
 */
const project = (
  name: string,
  { include, exclude = [], env = {}, minutes = 1, setupFiles = [] }: Options,
) => ({
  resolve,
  ssr,
  test: {
    name,
    include,
    exclude: [
      ...configDefaults.exclude,
      ...exclude,
      ...(isQuick ? Object.keys(NOT_QUICK[name] ?? {}) : []),
      ...missing.flatMap((program) => NEEDS[program] ?? []),
    ],
    env,
    setupFiles,
    pool: 'forks' as const,
    isolate: false,
    testTimeout: Math.max(2, minutes) * 60_000,
    hookTimeout: Math.max(2, minutes) * 60_000,
  },
});

/**
 * Tests of HTTP, tokens, XML or policies run on PostgreSQL only. The others run every statement on both databases: the sweeps
 * send each route's example, http-fuzz sends random input, and the model compares the results.
 */
const ONCE = [
  'cli/test/{anchors,chain,docs,doctor,errors,login,phone,sandbox}.test.ts',
  'server/test/accounts/{console-session,service-info}.test.ts',
  'server/test/anchors/anchors-{faults,fees,operator,proof,register,verify}.test.ts',
  'server/test/database/full-disk.test.ts',
  'server/test/docs/**',
  'server/test/events/**',
  'server/test/accounts/quota-threshold.test.ts',
  'server/test/webhooks/{event-loop,interrupted,retries,webhooks}.test.ts',
  'server/test/http/{contract,deprecated,held-requests,http-input,http-socket,legacy,metrics,served-pages}.test.ts',
  'server/test/identity/identity-uniform.test.ts',
  'server/test/oidc/**',
  'server/test/pairing/pairing-policy.test.ts',
  'server/test/process/metrics.test.ts',
  'server/test/sso/sso-*.test.ts',
  'server/test/sweeps/{access,secrets}.test.ts',
];

/** What cannot run on a Citus cluster, and why. */
const NOT_ON_CITUS: Record<string, string> = {
  'server/test/database/{dropped-databases.pg,full-disk,postgres-restart.pg,read-only.pg,read-replica.pg}.test.ts':
    'have a PostgreSQL server or databases of their own',
  'server/test/database/postgres-faults.pg.test.ts':
    'cuts and freezes the connection to a plain PostgreSQL, and locks whole tables of it',
  'server/test/docs/curl.test.ts':
    'shows when a key was last used, which follows half a second later on several machines',
  'server/test/docs/backup.pg.test.ts': 'dumps and restores a plain PostgreSQL',
  'server/test/records/filter-plans.pg.test.ts': 'reads the plans of a plain PostgreSQL',
  'server/test/{anchors/anchors-crash.pg,process/crash}.test.ts':
    'start and kill processes with a plain database of their own',
};

/** In a real browser, with a service on the embedded database. */
const PAGES = 'console/test/**/*.test.ts';

/** The same files on either database. Tests that need a real server (races between connections) are `*.pg.test.ts`. */
const onDatabase = (name: 'pglite' | 'postgres' | 'citus', exclude: string[] = []) =>
  project(name, {
    include:
      isQuick && name === 'pglite'
        ? QUICK_ON_PGLITE
        : [
            '{cli,sdk,server}/test/**/*.test.ts',
            ...(name === 'pglite' ? [] : ['server/src/**/*.pg.test.ts']),
          ],
    exclude: [LONG, PAGES, ...exclude],
    env: { SVC_TEST_DB: name, ...(isQuick && { HTTP_FUZZ_TIMES: '0.5' }) },
    setupFiles: ['server/test/support/tenant-rule/setup.ts'],
    minutes: name === 'citus' ? 5 : 1,
  });

/** Starts with zk. Its longest file takes a minute, and the other workers would otherwise wait for it at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isZk = (file: TestSpecification) => file.project.name === 'zk';
    return [...sorted.filter(isZk), ...sorted.filter((file) => !isZk(file))];
  }
}

export default defineConfig({
  test: {
    // One more than two cores: tests wait for databases, browsers and processes they start.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      project('zk', {
        include: ['zk/src/**/*.test.ts', 'zk/test/**/*.test.ts'],
      }),
      project('chain', { include: ['chain/src/**/*.test.ts', 'chain/test/**/*.test.ts'] }),
      project('server', {
        include: [
          'sdk/src/**/*.test.ts',
          'server/src/**/*.test.ts',
          'demo-idp/src/**/*.test.ts',
          'cli/src/**/*.test.ts',
          'console/src/**/*.test.ts',
          'scripts/**/*.test.mjs',
        ],
        exclude: ['**/*.pg.test.ts'],
      }),
      onDatabase('pglite', ['**/*.pg.test.ts', ...ONCE]),
      onDatabase('postgres'),
      ...(process.env.CITUS_URL ? [onDatabase('citus', Object.keys(NOT_ON_CITUS))] : []),
      project('pages', {
        include: [PAGES],
        env: {
          SVC_TEST_DB: 'pglite',
          PAGES_LOOKS: isQuick ? 'one' : 'two',
          UPDATE_PICTURES: String(process.argv.some((arg) => arg === '-u' || arg === '--update')),
        },
      }),
      project('long', {
        include: [LONG, ...AT_LENGTH],
        env: { SVC_TEST_DB: 'postgres', ...LENGTHS },
        minutes: 10,
      }),
    ],
  },
});
