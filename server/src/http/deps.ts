import type { ChainFault } from '@svc/chain/chain-error';
import type { ChainClient, ChainReadings } from '@svc/chain/client';
import type { PinnedKey } from '@svc/zk/setup/artifacts';
import type { VerifierPool } from '@svc/zk/verifier/pool';
import type { Clock, Timers } from '../base/clock.js';
import type { Config } from '../base/config.js';
import type { Counters } from '../base/counters.js';
import type { Keyring } from '../base/keyring.js';
import type { Log } from '../base/log.js';
import type { Metrics } from '../base/metrics.js';
import type { Passwords } from '../base/passwords.js';
import type { Random } from '../base/random.js';
import type { Tokens } from '../base/tokens.js';
import type { Bus } from '../cluster/bus.js';
import type { Limiter } from '../cluster/rate-limit.js';
import type { Redis } from '../cluster/redis.js';
import type { Database } from '../db/db.js';
import type { Writer } from '../ledger/write.js';
import type { Cursors } from './cursor.js';
import type { KeyPrincipal } from './principal.js';
import type { OpenStreams } from './transport/sse.js';

// Ports: features implement these interfaces, and this room cannot import features.

/** One finished call of an API key, for usage and quota. */
export interface Call {
  readonly principal: KeyPrincipal;
  readonly method: string;
  /** The route's pattern, never the address itself. */
  readonly endpoint: string;
  readonly status: number;
  readonly at: number;
  readonly durationMs: number;
}

/** Counts calls against the monthly quota. */
export interface Meter {
  /** Admits one call of the month it came in (`at`, Unix milliseconds); false when the quota is used up. */
  admit(principal: KeyPrincipal, at: number): Promise<boolean>;
  /** Ends an admitted call: it counts, durably before this resolves, unless it ended in 429 or 503. Never throws. */
  settle(call: Call): Promise<void>;
  /** Writes what is waiting. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The service-wide guard on guessing one-time codes (DECISIONS §3): more than 100 wrong ones in a minute put it up for 15
 * minutes, in which each network keeps one try. A request that names the session or device of its code is no guess: nobody
 * can guess those ids.
 */
export interface CodeGuard {
  /**
   * Looks a code up and counts it when nothing is found. 429 when the guard is up and the network has had its try: before
   * the look-up, or, when a subject is named, once code and subject turn out not to belong together.
   */
  watch<T>(
    from: {
      readonly address: string;
      /** The session or device that the caller says the code is for. */
      readonly subjectId?: string | undefined;
    },
    lookUp: () => Promise<T | undefined>,
  ): Promise<T | undefined>;
  isUp(): Promise<boolean>;
}

/** How anchoring stands on this node. */
export interface AnchoringStatus {
  /** `failed`: our own fault, which the log has. */
  readonly state: 'starting' | 'ok' | 'unavailable' | 'failed' | ChainFault;
  /** For the operator. */
  readonly message: string | null;
  /** The chain and the code of the contracts were seen to be the right ones, and not otherwise since. */
  readonly isTrusted: boolean;
  /** A batch of this node was sent, and no block has it yet. */
  readonly isInFlight: boolean;
  /** What the last look at the chain saw; null when it saw nothing. */
  readonly readings: (ChainReadings & { readonly latencyMs: number; readonly at: number }) | null;
}

/** Ties records to a chain. */
export interface Anchoring {
  readonly client: ChainClient;
  /** The chain's id and the contract's address. */
  readonly hub: string;
  status(): AnchoringStatus;
  /** Learns what the chain has, and sends what comes next. Never throws. */
  run(): Promise<void>;
  /** Looks at the chain for `status`. Never throws. */
  probe(): Promise<void>;
}

/** All that handlers and rules work with; built once, in `main.ts` or by a test. */
export interface Deps {
  readonly config: Config;
  readonly db: Database;
  /** The way to change a tenant's rows. */
  readonly write: Writer;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  /** Time-ordered UUIDs. */
  readonly ids: () => string;
  readonly log: Log;
  readonly keyring: Keyring;
  readonly tokens: Tokens;
  readonly cursors: Cursors;
  /** Windows of addresses and e-mails. */
  readonly limiter: Limiter;
  /** Windows of tenants: apart, so that a flood of addresses never pushes one out. */
  readonly planLimiter: Limiter;
  /** What nodes share beside the database; absent where there is one node. */
  readonly redis?: Redis;
  /** Absent where no chain is configured. */
  readonly anchoring?: Anchoring;
  /** Tells whoever waits for a record that it changed. */
  readonly bus: Bus;
  /** The event streams that this node holds open. */
  readonly streams: OpenStreams;
  readonly passwords: Passwords;
  readonly verifier: VerifierPool;
  readonly zk: PinnedKey;
  readonly meter: Meter;
  readonly counters: Counters;
  readonly metrics: Metrics;
  readonly codeGuard: CodeGuard;
  /** Unix milliseconds. */
  readonly startedAt: number;
  readonly version: string;
  /** Where the built pages are; where it is missing the service answers without them. */
  readonly pagesFolder: string;
  /** False once a shutdown has begun. */
  ready(): boolean;
}
