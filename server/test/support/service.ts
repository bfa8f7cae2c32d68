import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import * as argon2 from '@node-rs/argon2';
import type { ChainClient } from '@svc/chain/client';
import { createProver, type Prover } from '@svc/zk/prover/prover';
import { artifactFiles, artifactsFolder, loadPinnedKey } from '@svc/zk/setup/artifacts';
import { createVerifierPool, type VerifierPool } from '@svc/zk/verifier/pool';
import type { InjectOptions } from 'fastify';
import { type App, createApp } from '../../src/app.js';
import type { Clock, PatientTimers } from '../../src/base/clock.js';
import { loadConfig } from '../../src/base/config/config.js';
import { createPasswords } from '../../src/base/crypto/passwords.js';
import { type Random, systemRandom } from '../../src/base/crypto/random.js';
import type { ErrorCode } from '../../src/base/errors.js';
import { createLog } from '../../src/base/telemetry/log.js';
import type { Redis } from '../../src/cluster/redis.js';
import type { Machines } from '../../src/db/citus/machines.js';
import { withPlacement } from '../../src/db/citus/placement.js';
import type { RawDatabase } from '../../src/db/db.js';
import { sql } from '../../src/db/sql.js';
import { setPlan, setStatus } from '../../src/features/accounts/administration.js';
import { createKeyPairs } from '../../src/features/openid-provider/keys/key-pairs.js';
import type { Lifetimes } from '../../src/features/openid-provider/provider/surface.js';
import type { Erasures, KeyPairs } from '../../src/http/deps.js';
import { errorsOf } from '../../src/http/openapi/route-errors.js';
import type { Route } from '../../src/http/route.js';
import type { Environment } from '../../src/model/environment.js';
import type { Plan } from '../../src/model/plans.js';
import type { ApiScope } from '../../src/model/scopes.js';
import { sharedDatabase } from './database.js';
import { nextSharedPair } from './key-pairs.js';
import { acceptRegistered, registeringProver, usesRealProofs } from './registered-proofs.js';
import { holdToTenants } from './tenant-rule/database.js';

export const START = Date.parse('2026-05-12T09:30:00.000Z');
export const ADMIN_KEY = 'admin-key-of-the-tests-0123456789abcdef';

export interface ManualClock extends Clock, PatientTimers {
  advance(ms: number): void;
  /** The number of timers that are still to run. */
  readonly pendingTimers: number;
}

/** A clock that moves only when a test advances it. Timers that are due then run in order. */
export function manualClock(start = START): ManualClock {
  let now = start;
  const timers = new Set<{ at: number; run: () => void }>();
  const nextBefore = (end: number) =>
    [...timers].filter(({ at }) => at <= end).sort((left, right) => left.at - right.at)[0];
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      // A timer that is already due runs without an advance.
      if (ms <= 0) setImmediate(() => timers.delete(timer) && run());
      return () => void timers.delete(timer);
    },
    patiently(ms, late) {
      return this.after(ms, late);
    },
    advance(ms) {
      const end = now + ms;
      for (let timer = nextBefore(end); timer !== undefined; timer = nextBefore(end)) {
        timers.delete(timer);
        now = Math.max(now, timer.at);
        timer.run();
      }
      now = end;
    },
    get pendingTimers() {
      return timers.size;
    },
  };
}

export const zk = loadPinnedKey();

let pool: Promise<VerifierPool> | undefined;
/** The real verifier, which accepts registered proofs as well. */
export const sharedVerifier = () =>
  (pool ??= createVerifierPool({ key: zk, workers: 1, queueLimit: 512 }).then(acceptRegistered));

let prover: Promise<Prover> | undefined;
export const realProver = (): Promise<Prover> => {
  const read = (name: string) => new Uint8Array(readFileSync(join(artifactsFolder, name)));
  prover ??= createProver({ wasm: read(artifactFiles.wasm), zkey: read(artifactFiles.zkey) });
  return prover;
};
/** The prover of a phone: the real one in files that call `useRealProofs`. */
export const sharedProver = async (): Promise<Prover> =>
  usesRealProofs() ? realProver() : registeringProver;

/** Argon2id at its lowest cost, as the tests sign up hundreds of accounts. passwords.test.ts tests the real cost. */
const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 } as const;
const hash: typeof argon2.hash = (password) => argon2.hash(password, cheap);
let passwords: ReturnType<typeof createPasswords> | undefined;

export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string | string[] | number | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects; the sweeps check the shape
  readonly body: any;
  readonly text: string;
}

export interface Account {
  readonly tenantId: string;
  readonly email: string;
  readonly password: string;
  /** Console token. */
  readonly token: string;
  /** The first live key. */
  readonly key: string;
  readonly keyId: string;
}

export interface Service {
  readonly app: App;
  readonly db: RawDatabase;
  readonly clock: ManualClock;
  /** All log lines. */
  readonly logged: string[];
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  signUp(options?: { plan?: Plan; companyName?: string }): Promise<Account>;
  createKey(account: Account, environment: Environment, scopes?: readonly ApiScope[]): Promise<string>;
  /** The operator's commands on this node. */
  setPlan(account: Account, plan: Plan): Promise<unknown>;
  setStatus(account: Account, status: Parameters<typeof setStatus>[2]): Promise<unknown>;
  close(): Promise<void>;
}

export interface CallOptions {
  /** An API key or a console token, sent as Bearer. */
  readonly as?: string;
  /** A console token, sent as the cookie of one of our own pages in the same log-in. */
  readonly session?: string | undefined;
  readonly body?: unknown;
  /** Sent unchanged instead of `body`. */
  readonly raw?: string | Buffer;
  readonly headers?: Record<string, string | string[]>;
  readonly address?: string;
  /** Reads only the headers of an event stream, because it has no end. */
  readonly endless?: boolean;
}

export interface ServiceOptions {
  readonly env?: Record<string, string>;
  readonly db?: RawDatabase;
  /** A standby server of the database. */
  readonly standby?: RawDatabase;
  readonly verifier?: VerifierPool;
  readonly clock?: ManualClock;
  /** Default: the system's. */
  readonly random?: Random;
  readonly secret?: string;
  readonly redis?: Redis;
  readonly chain?: ChainClient;
  /** Looks up the host names of webhooks. Default: finds none. */
  readonly resolveHost?: (host: string) => Promise<readonly string[]>;
  /** Default: whether the database is spread over several machines. With true, one machine is treated as several. */
  readonly spread?: boolean;
  /** How long what the OpenID Provider issues lasts. */
  readonly oidcLifetimes?: Lifetimes;
  /** Default: issuers share a few RSA pairs. */
  readonly keyPairs?: KeyPairs;
  /** What the file of ERASURES_FILE does. Default: there is none. */
  readonly erasures?: Erasures;
  /** Default: the database was never restored. */
  readonly proofsFrom?: number;
  /** Of a database that is spread over several machines. Their database is then the service's. */
  readonly machines?: Machines;
}

let freshAddresses = 0;
/** A new shared address (RFC 6598) at each call, so that tests share no rate limit. */
export function freshAddress(): string {
  freshAddresses += 1;
  return `100.${64 + ((freshAddresses >> 16) & 63)}.${(freshAddresses >> 8) & 255}.${freshAddresses & 255}`;
}

/** Fails a test that gets an error its route does not declare, as the OpenAPI document would miss it. */
function requireDeclared(
  routes: readonly Route[],
  method: string,
  path: string,
  code: ErrorCode | undefined,
) {
  const steps = (path.split('?', 1)[0] as string).split('/');
  const fits = (pattern: string[]) =>
    pattern.length === steps.length &&
    pattern.every(
      (step, at) => step === steps[at] || (step.startsWith(':') && /^[\w.~-]+$/.test(steps[at]!)),
    );
  const route = routes.find((of) => of.method === method && fits(of.path.split('/')));
  if (code !== undefined && route !== undefined && !route.raw && !errorsOf(route).includes(code))
    throw new Error(`${method} ${route.path} returned ${code}: declare it in the route's \`errors\``);
}

const PAGES = fileURLToPath(new URL('../../../console/dist', import.meta.url));
const PRODUCT_LOGO = fileURLToPath(new URL('../../../console/public/phone/icon-192.png', import.meta.url));
let accounts = 0;
let addresses = 0;

/**
 * The token that a browser would have in its cookie if it had begun the log-in of this token. One that is not valid stays as it is, and so
 * does that of a cookie.
 */
async function cookieOf({ deps: { tokens, clock } }: App, token: string): Promise<string> {
  const claims = await tokens.verify('console', token);
  if (claims?.use !== 'bearer') return token;
  const { sub = '', acc, sid, ver, exp = 0 } = claims;
  return tokens.sign('console', { sub, acc, sid, ver, use: 'cookie' }, exp - Math.floor(clock.now() / 1000));
}

/** What a browser sends with a request of one of our own pages, in the log-in of this token. */
export const sessionHeaders = async (app: App, token: string, cookie?: string | string[]) => ({
  cookie: [`__Host-svc_console=${await cookieOf(app, token)}`, cookie ?? []].flat().join('; '),
  'sec-fetch-site': 'same-origin',
  origin: 'http://localhost:3000',
});

/** How a request sends a credential: an API key as Bearer, a console token as the cookie of one of our own pages. */
export const bearerOrSession = (credential: string) =>
  credential.startsWith('svc_') ? { as: credential } : { session: credential };

/** Starts a service on the worker's database. Only the clock, the randomness if it is given, and the cost of passwords differ from production. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const clock = options.clock ?? manualClock();
  const db = options.machines?.db ?? options.db ?? (await sharedDatabase()).db;
  const placed = options.spread === undefined ? await withPlacement(db) : { ...db, isSpread: options.spread };
  const logged: string[] = [];
  passwords ??= createPasswords({ argon2: { hash, verify: argon2.verify } });
  const app = await createApp({
    config: loadConfig({
      ADMIN_API_KEY: ADMIN_KEY,
      ENABLE_DEMO_AUTH: 'true',
      DEFAULT_PLAN: 'free',
      PRODUCT_LOGO,
      ...options.env,
    }),
    secret: options.secret ?? 'the secret of the tests, 32 bytes and more',
    db: await holdToTenants(placed),
    clock,
    timers: clock,
    random: options.random ?? systemRandom,
    log: createLog('trace', { write: (line) => void logged.push(line) }),
    passwords: await passwords,
    verifier: options.verifier ?? (await sharedVerifier()),
    zk,
    version: '0.0.0-test',
    pagesFolder: PAGES,
    ready: () => true,
    ...(options.erasures && { erasures: options.erasures }),
    ...(options.proofsFrom !== undefined && { proofsFrom: options.proofsFrom }),
    ...(options.standby && { standby: options.standby }),
    ...(options.machines && { machines: options.machines }),
    ...(options.redis && { redis: options.redis }),
    resolveHost: options.resolveHost ?? (async () => []),
    ...(options.chain && { chain: options.chain }),
    ...(options.oidcLifetimes && { oidcLifetimes: options.oidcLifetimes }),
    keyPairs: options.keyPairs ?? createKeyPairs(clock, nextSharedPair),
  });
  await app.deps.replica?.start();
  await app.http.ready();

  const call: Service['call'] = async (
    method,
    path,
    { as, session, body, raw, headers, address, endless = false } = {},
  ) => {
    const own = session === undefined ? undefined : await sessionHeaders(app, session, headers?.cookie);
    const request: InjectOptions = {
      payloadAsStream: endless,
      method: method as 'GET',
      url: path,
      remoteAddress: address ?? '127.0.0.1',
      headers: {
        ...(as && { authorization: `Bearer ${as}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(own && { ...own, origin: new URL(app.deps.config.baseUrl).origin }),
        ...headers,
        ...(own && { cookie: own.cookie }),
      },
    };
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const reply = await app.http.inject(payload === undefined ? request : { ...request, payload });
    const isJson = String(reply.headers['content-type'] ?? '').startsWith('application/json');
    const isEndless = endless && reply.headers['content-type'] === 'text/event-stream';
    const text = isEndless ? '' : endless ? await textOf(reply.stream()) : reply.payload;
    if (isEndless) reply.raw.res.destroy();
    const parsed = isJson && text !== '' ? JSON.parse(text) : undefined;
    if (reply.statusCode >= 400) requireDeclared(app.routes, method, path, parsed?.error);
    return {
      status: reply.statusCode,
      headers: reply.headers as Reply['headers'],
      body: parsed,
      text,
    };
  };

  return {
    app,
    db,
    clock,
    logged,
    call,
    async signUp({ plan, companyName = 'Example' } = {}) {
      accounts += 1;
      addresses += 1;
      const email = `dev${accounts}.${process.pid}.${Math.random().toString(36).slice(2)}@example.com`;
      const password = 'correct horse 7 battery staple';
      const address = `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
      const reply = await call('POST', '/api/console/signup', {
        body: { email, password, companyName },
        address,
      });
      if (reply.status !== 201) throw new Error(`signing up returned ${reply.status} ${reply.text}`);
      const tenantId: string = reply.body.tenant.id;
      if (plan) await db.query(sql`update tenants set plan = ${plan} where id = ${tenantId}`);
      return {
        tenantId,
        email,
        password,
        token: reply.body.token,
        key: reply.body.apiKey.key,
        keyId: reply.body.apiKey.id,
      };
    },
    async createKey(account, environment, scopes) {
      const body = { name: 'Test', environment, ...(scopes && { scopes }) };
      const reply = await call('POST', '/api/console/keys', { as: account.token, body });
      if (reply.status !== 201) throw new Error(`creating a key returned ${reply.status} ${reply.text}`);
      return reply.body.apiKey.key;
    },
    setPlan: ({ tenantId }, plan) => setPlan(app.deps, tenantId, plan),
    setStatus: ({ tenantId }, status) => setStatus(app.deps, tenantId, status),
    async close() {
      app.deps.replica?.stop();
      await app.http.close();
      await app.deps.mail?.close(AbortSignal.abort());
    },
  };
}
