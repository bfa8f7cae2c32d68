import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Keyring } from '../../base/crypto/keyring.js';
import type { Database } from '../../db/db.js';
import { compile } from '../../http/validate.js';
import {
  type AuditEvent,
  type ChainHead,
  canonicalEvent,
  genesisHash,
  linkHash,
  verifyHead,
} from '../../ledger/audit-chain.js';
import type { Scope } from '../../ledger/audit-store.js';
import { isRole, type Role } from '../../model/roles.js';
import { ExportedHead } from '../audit/audit.js';
import { LongLineError, splitLines } from './lines.js';
import type { Link } from './restore.store.js';
import { RestoreError } from './restore-error.js';

/** Far more than an event needs. */
const MAX_LINE_BYTES = 1024 * 1024;

/** What happened in a chain after the backup, as far as it must happen again. */
export interface Later {
  /** Revoked, or given another commitment, which no export has. */
  readonly identities: readonly string[];
  readonly devices: readonly string[];
  readonly keys: readonly string[];
  /** Members who were removed. */
  readonly members: readonly string[];
  /** Passkeys that were removed. */
  readonly passkeys: readonly string[];
  /** Attestation keys that were revoked. */
  readonly attestationKeys: readonly string[];
  /** The last role that members got, by their ids. */
  readonly roles: ReadonlyMap<string, Role>;
  /** People who were erased. */
  readonly people: readonly { readonly userId: string; readonly erasureId: string }[];
}

/** An export that extends the chain of the database. */
export interface LaterExport {
  readonly path: string;
  readonly scope: Scope;
  readonly head: ChainHead;
  /** The events after the backup. */
  readonly events: number;
  readonly later: Later;
}

/** Of these events, the record that they name. */
const AGAIN: Readonly<Record<string, Exclude<keyof Later, 'people' | 'roles'>>> = {
  'identity.revoked': 'identities',
  'identity.rotated': 'identities',
  'device.revoked': 'devices',
  'api_key.revoked': 'keys',
  'api_key.rotated': 'keys',
  'member.removed': 'members',
  'passkey.removed': 'passkeys',
  'attestation.revoked': 'attestationKeys',
};

/** The last line of a file, without the whole file in memory. */
async function lastLine(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const length = Math.min(size, MAX_LINE_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8', 0, bytesRead).trimEnd().split('\n').at(-1) as string;
  } finally {
    await file.close();
  }
}

const isHead = compile('body', ExportedHead);

/** The signed head at the end of an export; undefined if there is none. */
function readHead(text: string): ExportedHead | undefined {
  try {
    const { environment, head } = JSON.parse(text);
    const value = { environment, head };
    return isHead(value).length === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

/** An event of an export, with what its hash covers. Undefined if the line is none. */
function readEvent(
  text: string,
): (AuditEvent & { readonly hash: string; readonly canonical: string }) | undefined {
  try {
    const event = JSON.parse(text);
    return typeof event.hash === 'string' ? { ...event, canonical: canonicalEvent(event) } : undefined;
  } catch {
    return undefined;
  }
}

/** Follows the hashes of a chain from its start, and collects what has to happen again. */
class ExportedChain {
  #last: Link;
  readonly #base: Link;
  readonly #later = {
    identities: [] as string[],
    devices: [] as string[],
    keys: [] as string[],
    members: [] as string[],
    passkeys: [] as string[],
    attestationKeys: [] as string[],
    roles: new Map<string, Role>(),
    people: [] as Later['people'][number][],
  };

  constructor(scope: Scope, base: Link) {
    this.#last = { seq: 0, hash: genesisHash(scope.tenantId, scope.environment) };
    this.#base = base;
    this.#requireBase();
  }

  get last(): Link {
    return this.#last;
  }
  get later(): Later {
    return this.#later;
  }

  /** @throws RestoreError if the line does not continue the chain */
  add(number: number, text: string): void {
    const event = readEvent(text);
    if (event === undefined) throw new RestoreError(`line ${number} is not an event`);
    if (event.seq !== this.#last.seq + 1 || linkHash(this.#last.hash, event.canonical) !== event.hash)
      throw new RestoreError(`line ${number} does not continue the chain: the file was altered`);
    this.#last = { seq: event.seq, hash: event.hash };
    this.#requireBase();
    if (event.seq > this.#base.seq && event.status === 'success') this.#collect(event);
  }

  #collect({ action, entityId, metadata: { erasureId, to } }: AuditEvent): void {
    const kind = AGAIN[action];
    if (entityId === null) return;
    if (kind !== undefined) this.#later[kind].push(entityId);
    else if (action === 'member.role_changed' && isRole(to)) this.#later.roles.set(entityId, to);
    else if (action === 'user.erased' && typeof erasureId === 'string')
      this.#later.people.push({ userId: entityId, erasureId });
  }

  #requireBase(): void {
    if (this.#last.seq === this.#base.seq && this.#last.hash !== this.#base.hash)
      throw new RestoreError(
        `it has another event ${this.#base.seq} than the database, so it is not of the chain that the backup has`,
      );
  }
}

type ExportDeps = {
  readonly db: Database;
  readonly keyring: Keyring;
  /** The head that a chain had in the backup. */
  readonly baseOf: (scope: Scope) => Promise<Link | undefined>;
};

async function checkHead({ keyring, baseOf }: ExportDeps, found: ExportedHead | undefined) {
  if (found === undefined) throw new RestoreError('its last line is not a signed head, so it is incomplete');
  const { tenantId, seq, hash, at, keyId, signature } = found.head;
  const scope: Scope = { tenantId, environment: found.environment };
  const head: ChainHead = { seq, hash, at: Date.parse(at) };
  const keys = keyring.find(keyId);
  if (keys === undefined)
    throw new RestoreError(
      'its head is signed with a key that is neither that of SVC_SECRET nor of SVC_SECRET_PREVIOUS',
    );
  if (!verifyHead(keys, tenantId, scope.environment, head, signature))
    throw new RestoreError('the signature of its head is wrong');
  const base = await baseOf(scope);
  if (base === undefined) throw new RestoreError(`the database has no account ${tenantId}`);
  if (head.seq < base.seq)
    throw new RestoreError(
      `it ends at event ${head.seq}, before the backup, which has ${base.seq}. Give a newer export`,
    );
  return { scope, head, base };
}

async function readExport(deps: ExportDeps, path: string): Promise<LaterExport> {
  const { scope, head, base } = await checkHead(deps, readHead(await lastLine(path)));
  const chain = new ExportedChain(scope, base);
  for await (const { number, text } of splitLines(createReadStream(path), MAX_LINE_BYTES)) {
    // What follows the last event is the head, which was read first.
    if (chain.last.seq === head.seq) break;
    chain.add(number, text);
  }
  if (chain.last.seq !== head.seq || chain.last.hash !== head.hash)
    throw new RestoreError('its events do not lead to its head: the file was altered or cut off');
  return { path, scope, head, events: head.seq - base.seq, later: chain.later };
}

/**
 * Reads an export of `svc audit export`, line by line, and checks it: every hash, the signature of its head, and that it extends
 * the chain of the database.
 * @throws RestoreError with the file and what is wrong with it
 */
export async function readLaterExport(deps: ExportDeps, path: string): Promise<LaterExport> {
  try {
    return await readExport(deps, path);
  } catch (error) {
    if (error instanceof RestoreError || error instanceof LongLineError)
      throw new RestoreError(`${path} cannot be used: ${error.message}. Nothing was changed.`);
    if (typeof (error as NodeJS.ErrnoException).syscall === 'string')
      throw new RestoreError(`${path} cannot be read: ${(error as Error).message}`);
    throw error;
  }
}
