import type { KeyObject } from 'node:crypto';
import type { ChainFault } from '@svc/chain/chain-error';
import type { ChainClient, ChainReadings } from '@svc/chain/client';
import type { PinnedKey } from '@svc/zk/setup/artifacts';
import type { VerifierPool } from '@svc/zk/verifier/pool';
import type { default as Provider } from 'oidc-provider';
import type { Clock, PatientTimers } from '../base/clock.js';
import type { Config } from '../base/config/config.js';
import type { Keyring } from '../base/crypto/keyring.js';
import type { Passwords } from '../base/crypto/passwords.js';
import type { Random } from '../base/crypto/random.js';
import type { Sealer } from '../base/crypto/sealer.js';
import type { Tokens } from '../base/crypto/tokens.js';
import type { ErrorCode } from '../base/errors.js';
import type { Mail } from '../base/mail/mail.js';
import type { Outbound } from '../base/outbound/outbound.js';
import type { Counters } from '../base/telemetry/counters.js';
import type { Log } from '../base/telemetry/log.js';
import type { Metrics } from '../base/telemetry/metrics.js';
import type { Bus } from '../cluster/bus.js';
import type { Limiter } from '../cluster/rate-limit.js';
import type { Redis } from '../cluster/redis.js';
import type { Machines } from '../db/citus/machines.js';
import type { Database } from '../db/db.js';
import type { Scope } from '../ledger/audit-store.js';
import type { AuditEventRow } from '../ledger/read-events.js';
import type { History } from '../ledger/replica/history.js';
import type { Watch } from '../ledger/replica/watch.js';
import type { Read, TenantWrite, Write, Writer } from '../ledger/write.js';
import type { SecurityPolicy } from '../model/security-policy.js';
import type { ListCursors } from '../records/cursor.js';
import type { Admission } from './admission/admission.js';
import type { ConsolePrincipal, DevicePrincipal, KeyPrincipal } from './principal.js';
import type { ChangeSignal, OpenStreams } from './transport/sse.js';

// Ports: features implement these interfaces, because `http` cannot import features.

/** Whose plan a call counts in. The id of a device stands where an API key has its own. */
export type PlanCaller = Pick<KeyPrincipal, 'keyId' | 'environment' | 'tenant'>;

/** A finished call with an API key or of a device, for usage and quota. */
export interface Call {
  readonly principal: PlanCaller;
  readonly method: string;
  /** The pattern of the route, never the requested path. */
  readonly endpoint: string;
  readonly status: number;
  /** The client's address; for IPv6, its /64. */
  readonly address: string;
  readonly at: number;
  readonly durationMs: number;
  readonly requestId: string;
  /** Null if the request succeeded. */
  readonly error: ErrorCode | null;
}

/** A call with a valid API key that its networks, the plan or the account's status rejected before its work began. */
export interface RejectedCall {
  readonly principal: PlanCaller;
  readonly error:
    | 'address_not_allowed'
    | 'monthly_quota_exceeded'
    | 'rate_limit_exceeded'
    | 'tenant_inactive';
  readonly at: number;
}

/** Counts calls against the monthly quota. */
export interface Meter {
  /** Admits one call in the month of `at` (Unix milliseconds). Returns false if the quota is used up. */
  admit(principal: PlanCaller, at: number): Promise<boolean>;
  /** Counts an admitted call, durably before this resolves, unless its status is 429 or 503. Never throws. */
  settle(call: Call): Promise<void>;
  /** Counts a rejected call by its minute and error code, in memory at first. */
  reject(call: RejectedCall): void;
  /** Writes what is still in memory, at least that of this tenant. */
  flush(tenantId?: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * The service-wide protection against guessing one-time codes [devices/guessing-codes]. More than 100 wrong codes in a minute
 * activate it for 15 minutes, in which each network has one attempt. A request that includes the session or device of its
 * code is no guess, because those ids cannot be guessed.
 */
export interface CodeGuard {
  /**
   * Looks a code up and counts a failure. Throws 429 if the guard is active and the network has used its attempt: before
   * the look-up, or, if a subject is given, after it turns out that code and subject do not belong together.
   */
  watch<T>(
    from: {
      readonly address: string;
      /** The session or device that the caller gives with the code. */
      readonly subjectId?: string | undefined;
    },
    lookUp: () => Promise<T | undefined>,
  ): Promise<T | undefined>;
  isUp(): Promise<boolean>;
}

/** The state of anchoring on this node. */
export interface AnchoringStatus {
  /** `failed` is an unexpected error, which is in the log. */
  readonly state: 'starting' | 'ok' | 'unavailable' | 'failed' | ChainFault;
  /** For the operator. */
  readonly message: string | null;
  /** The last check found the expected blockchain and the expected code of the contracts. */
  readonly isTrusted: boolean;
  /** A batch of this node was sent and is not in a block yet. */
  readonly isInFlight: boolean;
  /** Results of the last probe of the blockchain. Null if it failed. */
  readonly readings: (ChainReadings & { readonly latencyMs: number; readonly at: number }) | null;
}

/** Anchors records on a blockchain. */
export interface Anchoring {
  readonly client: ChainClient;
  /** The blockchain's id and the contract's address. */
  readonly hub: string;
  status(): AnchoringStatus;
  /** Reads the state of the blockchain and sends the next batch. Never throws. */
  run(): Promise<void>;
  /** Updates `status` from the blockchain. Never throws. */
  probe(): Promise<void>;
}

/** Sends the events of audit chains to webhooks. Nodes share the webhooks: each is served by one of them at a time. */
export interface WebhookWorker {
  /** Finds webhooks with something to do that no node serves. A job calls this every second. */
  search(): Promise<void>;
  /** The webhooks of a chain may have changed. */
  wake(scope: Scope): void;
  /** Sends `webhook.test` to a webhook. Returns the id of the recorded attempt; undefined if there is no such webhook. */
  test(scope: Scope, webhookId: string): Promise<string | undefined>;
  /** Resolves when nothing is to be done at present. For tests. */
  idle(): Promise<void>;
  /** Ends deliveries and gives the webhooks to other nodes. */
  close(): Promise<void>;
}

/** Somebody who waits for events of a chain. */
export interface ChainFollower {
  /** Set after each read of new events. */
  readonly changes: ChangeSignal;
  /**
   * The events after a position, up to the newest that the last read found. Undefined if some of them are no longer kept. `ended` once the
   * credential is not valid any more.
   * @throws what the last read threw
   */
  eventsAfter(seq: number): readonly AuditEventRow[] | 'ended' | undefined;
  leave(): void;
}

/** The audit chains that streams and waiting requests on this node follow. */
export interface FollowedChains {
  follow(scope: Scope, credential: KeyPrincipal | ConsolePrincipal | DevicePrincipal): ChainFollower;
}

/** The audit chains that this node has added rows to since their trees were signed. */
export interface GrownChains {
  /** By its name within this process. */
  add(chain: string): void;
  /** Those that were added since the last call. */
  take(): Scope[];
}

/** An erasure of a person, without anything personal. */
export interface ErasureLine extends Scope {
  readonly userId: string;
  readonly erasureId: string;
  /** ISO 8601. */
  readonly erasedAt: string;
}

/** The file of erasures, which a restored database is compared with. */
export interface Erasures {
  /**
   * Resolves when the line is on the disk, also if it was there before.
   * @throws Failure `service_unavailable` if it cannot be written
   */
  record(line: ErasureLine): Promise<void>;
}

/** An identity that may authorize something. */
export interface Unchanged {
  /** In the write that it authorizes: gives an identity from before the leaf that it lacks. Otherwise it does nothing. */
  ensureLeaf(w: Write, now: Date): Promise<void>;
}

/** What a change ends in features that depend on the one that makes it. Each runs within the write of the change. */
export interface Effects {
  /**
   * Ends their sessions and sign-ins, revokes their attestation keys and forgets the browsers that they made known. After a recovery, with
   * `recoveredUserId`, it forgets all browsers of that person. Call it after the identities are locked.
   */
  identitiesRevoked(
    w: Write,
    revoked: { readonly ids: readonly string[]; readonly recoveredUserId?: string },
    now: Date,
  ): Promise<void>;
  /**
   * Ends the sessions and sign-ins of an identity that has a new commitment, and forgets the browsers that it made known. Call it after
   * the identity is locked.
   */
  secretReplaced(w: Write, identityId: string, now: Date): Promise<void>;
  /** Ends their sessions and sign-ins, and forgets their browsers. Call it after the user is locked. */
  userDeactivated(w: Write, userId: string, now: Date): Promise<void>;
  /** Revokes the identities that were created on the device. */
  deviceRevoked(w: Write, deviceId: string, now: Date): Promise<void>;
  /** A person begins at this desk, so a member who acted there has left. */
  personBegan(w: Write, deviceId: string): Promise<void>;
  /** Ends the open pairing sessions that are weaker. Returns what tells their desktops, after the commit. */
  policyReplaced(w: TenantWrite, policy: SecurityPolicy): Promise<() => void>;
}

/** Asks the database whether it works. Answers are shared, so health checks cannot load it. */
export interface DatabaseProbe {
  /** Whether it responds, and whether a write would succeed. Never throws. */
  check(): Promise<{ readonly reads: boolean; readonly writes: boolean }>;
  /** A write failed, so the next check tests writing again. */
  writeFailed(): void;
}

/** The OpenID Provider of each account and environment. */
export interface OpenId {
  /** Undefined before the environment's first client. */
  find(scope: Scope): Promise<Provider | undefined>;
}

export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** Generates the key pairs that sign ID tokens. */
export interface KeyPairs {
  /**
   * Concurrent calls for the same issuer and algorithm return the same pair, because only one of them is stored.
   * @throws Failure `service_unavailable` if too many others wait, or after 10 seconds
   */
  generate(issuer: Scope, alg: 'RS256' | 'ES256'): Promise<KeyPair>;
  /** Fails the calls that wait. */
  close(): void;
}

/** What every program has: settings, time, chance and a log. */
interface Base {
  readonly config: Config;
  readonly clock: Clock;
  readonly timers: PatientTimers;
  readonly random: Random;
  /** Time-ordered UUIDs. */
  readonly ids: () => string;
  readonly log: Log;
  readonly counters: Counters;
  readonly metrics: Metrics;
  /** Unix milliseconds. */
  readonly startedAt: number;
  readonly version: string;
  /** The folder of the built pages. If it is missing, only the API is served. */
  readonly pagesFolder: string;
  /** False once a shutdown has begun. */
  ready(): boolean;
}

/** Where data is kept. */
interface Storage {
  readonly db: Database;
  /** Absent if the database is on one machine. */
  readonly machines?: Machines;
  readonly databaseProbe: DatabaseProbe;
  /** Changes rows of a tenant. */
  readonly write: Writer;
  readonly effects: Effects;
  /** Keeps erasures outside the database. Absent without ERASURES_FILE. */
  readonly erasures?: Erasures;
  /** Whether this node has a write in progress. */
  isWriting(): boolean;
  /** Reads that need not be served by the primary server. */
  readonly history: History;
  readonly grownChains: GrownChains;
  /** The state of the read replica. Absent without one. */
  readonly replica?: Watch;
  /** State that nodes share besides the database. Absent with a single node. */
  readonly redis?: Redis;
  /** Notifies subscribers of a record that it changed. */
  readonly bus: Bus;
  readonly followedChains: FollowedChains;
}

/** What decides whether a request, a secret or a proof is accepted. */
interface Guards {
  readonly keyring: Keyring;
  /** Encrypts secrets of tenants that are stored. */
  readonly sealer: Sealer;
  readonly tokens: Tokens;
  readonly cursors: ListCursors;
  /** Rate limits by address and e-mail. */
  readonly limiter: Limiter;
  /** Rate limits by tenant. Separate, so that a flood of addresses never evicts a tenant. */
  readonly planLimiter: Limiter;
  /** The requests that this node works on. */
  readonly admission: Admission;
  readonly meter: Meter;
  readonly codeGuard: CodeGuard;
  readonly passwords: Passwords;
  readonly verifier: VerifierPool;
  /**
   * Checks that an identity which authorizes something is what the audit chain says of it. Undefined if it has another commitment by now.
   * @throws Failure `identity_changed`
   */
  requireUnchanged(
    read: Read,
    identity: { readonly id: string; readonly commitment: string },
  ): Promise<Unchanged | undefined>;
  /** Proofs with an earlier timestamp are stale. Unix milliseconds; 0 for a database that was never restored. */
  readonly proofsFrom: number;
  readonly zk: PinnedKey;
}

/** What works beside requests, or with other servers. */
interface Services {
  /** Absent if no blockchain is configured. */
  readonly anchoring?: Anchoring;
  /** Requests to addresses that tenants gave. */
  readonly outbound: Outbound;
  /** Absent without SMTP_URL. */
  readonly mail?: Mail;
  /** The open event streams of this node. */
  readonly streams: OpenStreams;
  readonly webhooks: WebhookWorker;
  readonly openId: OpenId;
  readonly keyPairs: KeyPairs;
}

/** The dependencies of handlers. Created once, in `main.ts` or by a test. A rule takes a `Pick` of what it uses. */
export interface Deps extends Base, Storage, Guards, Services {}
