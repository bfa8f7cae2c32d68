import { canonicalJson } from '@svc/zk/approvals/canonical-json';
import type { AuditRow, TreeHead } from '@svc/zk/approvals/receipt';
import type { HexDigest } from '@svc/zk/records/seal';
import type { HiddenEntry, HoursHeader } from '@svc/zk/time/hours-file';
import { fromHex } from '../codecs/audit-chain.js';
import type { SignedHead } from '../generated/api.js';
import type { NamedKeys } from '../receipts/chain/keys.js';
import { isConsistent } from '../receipts/chain/tree.js';
import { headShape, keptTreeShape } from '../receipts/file/form.js';
import type { TreeHead as KeptTree } from '../receipts/options.js';
import { HoursFault } from './fault.js';

/** What the checker knows from elsewhere, of which nothing may come from the file, or from who sent it. */
export interface KeptOptions {
  /** A head or a tree that was kept from before. */
  readonly head?: SignedHead | KeptTree | undefined;
  /** The public keys that you know, in hex, by their `keyId`. The key of `head` is one of them. */
  readonly keys?: Readonly<Record<string, string>> | undefined;
}

const utf8 = new TextEncoder();

/** The number of the newest entry that was kept. */
export const keptSeq = (head: KeptOptions['head']): number | undefined =>
  head && ('root' in head ? head.size : head.seq);

/** Follows the chain of a file, entry by entry. */
export class ChainCheck {
  readonly #digest: HexDigest;
  readonly #header: HoursHeader;
  readonly #kept: KeptOptions['head'];
  #seq: number;
  #hash: string | undefined;
  #at = '';
  #hashAtKept: string | undefined;

  constructor(header: HoursHeader, kept: KeptOptions['head'], digest: HexDigest) {
    this.#header = header;
    this.#kept = kept;
    this.#digest = digest;
    this.#seq = header.first - 1;
  }

  /** How many entries were followed, of those that the file has. */
  get progress(): { readonly read: number; readonly of: number } {
    const { first, tree } = this.#header;
    return { read: this.#seq - first + 1, of: tree.size - first + 1 };
  }

  /** @throws HoursFault `chain_broken` */
  hide({ seq, prevHash, digest }: HiddenEntry, line: number): void {
    this.#follow({ seq, prevHash, digest }, line);
  }

  /**
   * @throws HoursFault `chain_broken` if the entry says something else than when it was hashed, `kept_head_differs` if it has a time that
   * contradicts the head that was kept
   */
  show({ prevHash, hash, ...event }: AuditRow, line: number): void {
    const text = canonicalOrNot(event);
    ensure(text !== undefined, `Line ${line}: entry ${event.seq} was altered.`);
    const digest = this.#digest(utf8.encode(text));
    const made = this.#follow({ seq: event.seq, prevHash, digest }, line);
    ensure(made === hash, `Line ${line}: entry ${event.seq} was altered.`);
    ensure(
      event.environment === this.#header.environment,
      `Line ${line}: entry ${event.seq} is of another environment.`,
    );
    ensure(event.createdAt >= this.#at, `Line ${line}: entry ${event.seq} is older than the one before it.`);
    this.#at = event.createdAt;
    const kept = this.#kept;
    const isNewer = event.seq > (keptSeq(this.#kept) ?? 0);
    ensure(
      kept === undefined || (isNewer ? event.createdAt >= kept.at : event.createdAt <= kept.at),
      `Line ${line}: entry ${event.seq} has a time that contradicts the head that you kept.`,
      'kept_head_differs',
    );
  }

  #follow({ seq, prevHash, digest }: HiddenEntry, line: number): string {
    ensure(
      seq === this.#seq + 1,
      `Line ${line} has entry ${seq}, not ${this.#seq + 1}: lines were removed, doubled or moved.`,
    );
    const before = this.#hash ?? (seq === 1 ? this.#genesis() : prevHash);
    ensure(prevHash === before, `Line ${line}: entry ${seq} does not follow the one before it.`);
    if (seq - 1 === keptSeq(this.#kept)) this.#hashAtKept ??= prevHash;
    const link = new Uint8Array(64);
    link.set(fromHex(prevHash, 32) as Uint8Array);
    link.set(fromHex(digest, 32) as Uint8Array, 32);
    const hash = this.#digest(link);
    this.#seq = seq;
    this.#hash = hash;
    if (seq === keptSeq(this.#kept)) this.#hashAtKept = hash;
    return hash;
  }

  #genesis(): string {
    const { tenantId, environment } = this.#header;
    return this.#digest(utf8.encode(`svc-audit-v1|${tenantId}|${environment}`));
  }

  /**
   * Checks that the chain ends with the tree of the file, and that it has what was kept.
   * @throws HoursFault, ReceiptFault
   */
  async end(keys: NamedKeys): Promise<KeptPart | undefined> {
    const { tree } = this.#header;
    ensure(
      this.#seq === tree.size && this.#hash === tree.hash,
      `The chain ends with entry ${this.#seq}, and the signed tree with entry ${tree.size}.`,
      'tree_wrong',
    );
    await keys.checkTree(tree, 'The tree of the file');
    const kept = this.#kept;
    if (kept === undefined) return undefined;
    const seq = keptSeq(this.#kept) as number;
    await this.#checkOwn(kept, keys);
    ensure(
      seq <= tree.size,
      `The head that you kept is newer than the file: it has ${seq} entries, and the file ${tree.size}. Fetch the file again.`,
      'kept_head_differs',
    );
    const isInFile = this.#hashAtKept !== undefined;
    ensure(
      !isInFile || this.#hashAtKept === kept.hash,
      `The chain was rewritten at or before entry ${seq}, which you kept.`,
      'kept_head_differs',
    );
    const hasTree = 'root' in kept && this.#isExtended(kept, tree);
    ensure(
      isInFile || hasTree,
      `The head that you kept is older than the first entry of the file. Keep a tree, and fetch the file with from=${seq}.`,
      'kept_head_differs',
    );
    return { seq, hasTree, isInFile };
  }

  async #checkOwn(kept: SignedHead | KeptTree, keys: NamedKeys): Promise<void> {
    const what = 'The head that you kept';
    if ('root' in kept) {
      keptTreeShape(kept, 'head');
      return keys.checkTree(kept, what);
    }
    headShape(kept, 'head');
    ensure(kept.tenantId === this.#header.tenantId, `${what} is of another account.`, 'kept_head_differs');
    return keys.checkHead(kept, what);
  }

  /** False if nothing shows it. @throws HoursFault `kept_head_differs` if the tree does not extend the one that was kept */
  #isExtended(kept: KeptTree, tree: TreeHead): boolean {
    const { consistency } = this.#header;
    const isSame = kept.size === tree.size;
    if (!isSame && consistency?.from !== kept.size) return false;
    const proof = isSame ? [] : (consistency?.proof ?? []);
    ensure(
      isConsistent({ kept, tree, proof }),
      'The tree of the file does not extend the tree that you kept.',
      'kept_head_differs',
    );
    return true;
  }
}

/** What the file has of what was kept. */
export interface KeptPart {
  /** The number of the newest entry that was kept. */
  readonly seq: number;
  /** Whether the tree of the file is known to extend the one that was kept, so that it also vouches for enrolments. */
  readonly hasTree: boolean;
  /** Whether the file has that entry, or the one after it. */
  readonly isInFile: boolean;
}

/** Undefined for what JSON cannot say, such as half of a surrogate pair. */
export function canonicalOrNot(value: unknown): string | undefined {
  try {
    return canonicalJson(value);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function ensure(
  holds: boolean,
  message: string,
  code: 'chain_broken' | 'tree_wrong' | 'kept_head_differs' = 'chain_broken',
): asserts holds {
  if (!holds) throw new HoursFault(code, message);
}
