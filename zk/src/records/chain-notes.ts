import { type ChainSeal, type ChainView, UNSEALED } from './judge.js';
import { CHANGING_ACTIONS, entityTypeOf, SEALED_KINDS, SEALING_ACTIONS, type SealedKind } from './kinds.js';
import type { SealedPage } from './pages.js';

/** What is read of an entry of the audit chain. */
export interface NotedEntry {
  readonly seq: number;
  readonly action: string;
  readonly actorType: string;
  readonly actorId: string | null;
  readonly entityType: string;
  readonly entityId: string | null;
  readonly status: string;
  readonly createdAt: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A record that an entry names, and its seal, if the entry has one. */
export interface NotedRecord extends Omit<ChainSeal, 'seal'> {
  readonly kind: SealedKind;
  readonly id: string;
  /** `UNSEALED` if the entry changed it and has none, because a version without seals wrote it. */
  readonly seal: string | undefined;
  /** The entry has no seal, and the chain says that it must have one. */
  readonly lacksSeal: boolean;
  /** Who made the entry. */
  readonly actor: string;
}

/** An entry with the root of a page of records, `records.sealed_later`. */
export interface NotedPage extends Pick<NotedRecord, 'kind' | 'seq' | 'at' | 'actor'> {
  readonly root: string;
}

/** How much the clocks of two nodes may differ. */
const CLOCKS_DIFFER_MS = 60 * 60_000;

interface Retention {
  /** Records that were created before, in Unix milliseconds. */
  readonly before: number;
  /** The last id that was deleted. */
  readonly last: string;
}

/**
 * Reads a chain, oldest entry first, and keeps what the judgement of any record can depend on: who was erased, and what was deleted.
 * `headBefore` is the number of the newest entry before the records of a kind were read: what came after it may excuse that a record is
 * not there, and accuses none that is.
 */
export function createChainNotes(headBefore: (kind: SealedKind) => number = () => Number.POSITIVE_INFINITY) {
  const erased = new Map<string, Omit<ChainSeal, 'seal'>>();
  let sealedFrom = Number.POSITIVE_INFINITY;
  const retained = new Map<SealedKind, Retention[]>();
  const retainedLater = new Map<SealedKind, Retention[]>();
  const pages: NotedPage[] = [];

  function noteRetention({ metadata, seq }: NotedEntry): void {
    const before = Date.parse(String(metadata.before));
    for (const kind of SEALED_KINDS) {
      const last = metadata[`${kind}_last`];
      if (typeof last !== 'string' || Number.isNaN(before)) continue;
      // Those that delete no more than this one say nothing more.
      const all = seq <= headBefore(kind) ? retained : retainedLater;
      const others = all.get(kind)?.filter((one) => one.before > before || one.last > last) ?? [];
      all.set(kind, [...others, { before, last }]);
    }
  }

  return {
    /** The records that an entry names. Once the chain says that all are sealed, those that it only names are left out. */
    read(entry: NotedEntry): NotedRecord[] {
      const { action, entityId, seq, createdAt: at } = entry;
      if (action === 'user.erased' && entityId !== null) erased.set(entityId, { seq, at });
      if (action === 'tenant.retention_applied') noteRetention(entry);
      if (action === 'chain.records_sealed') sealedFrom = Math.min(sealedFrom, seq);
      const actor = entry.actorId === null ? entry.actorType : `${entry.actorType} ${entry.actorId}`;
      const page = pageIn(entry);
      if (page !== undefined) pages.push({ ...page, seq, at, actor });
      const isSealed = seq > sealedFrom;
      const noted: NotedRecord[] = [];
      for (const { kind, id, seal: made, mustSeal, isChanged } of recordsIn(entry)) {
        const seal = made ?? (isChanged && !isSealed ? UNSEALED : undefined);
        const lacksSeal = isSealed && mustSeal;
        if (isSealed && seal === undefined && !lacksSeal) continue;
        noted.push({ kind, id, seal, lacksSeal, seq, at, actor });
      }
      return noted;
    },
    /** The pages of a kind that the entries up to `seq` have the roots of. */
    pagesOf: (kind: SealedKind, seq: number) => pages.filter((page) => page.kind === kind && page.seq <= seq),
    view: {
      erasureOf: (userId) => (userId === undefined ? [...erased.values()][0] : erased.get(userId)),
      /** Whether the chain says before that entry that all records are sealed. */
      mustSealAt: (seq: number) => seq > sealedFrom,
      isRetired(kind, id, createdAt) {
        const coveredBy = (all: typeof retained) => all.get(kind)?.filter(({ last }) => id <= last) ?? [];
        const [covering, later] = [coveredBy(retained), coveredBy(retainedLater)];
        if (covering.length + later.length === 0) return 'no';
        const created = Date.parse(createdAt);
        if (covering.some(({ before }) => created < before - CLOCKS_DIFFER_MS)) return 'yes';
        const mayBe = ({ before }: Retention) => created < before + CLOCKS_DIFFER_MS;
        return covering.some(mayBe) || later.some(mayBe) ? 'perhaps' : 'no';
      },
    } satisfies Omit<ChainView, 'headBefore' | 'headAfter'> & { mustSealAt(seq: number): boolean },
  };
}

/** The page that an entry has the root of. */
export function pageIn({
  action,
  metadata: { kind, root },
}: Pick<NotedEntry, 'action' | 'metadata'>): Pick<NotedPage, 'kind' | 'root'> | undefined {
  if (action !== 'records.sealed_later' || typeof root !== 'string') return undefined;
  const sealed = SEALED_KINDS.find((each) => each === kind);
  return sealed && { kind: sealed, root };
}

/** The records of the pages of a file, as the entries with their roots seal them. Undefined if the file lacks a page, or has another. */
export function notesOfPages(
  inFile: readonly (SealedPage & { readonly root: string })[],
  inChain: readonly NotedPage[],
  headBefore: number,
): NotedRecord[] | undefined {
  const byRoot = new Map(inFile.map((page) => [page.root, page.records]));
  const isWhole = inChain.every(({ root, seq }) => byRoot.has(root) || seq > headBefore);
  const roots = new Set(inChain.map(({ root }) => root));
  if (!isWhole || inFile.some(({ root }) => !roots.has(root))) return undefined;
  return inChain.flatMap(({ root, ...entry }) =>
    (byRoot.get(root) ?? []).map(([id, seal]) => ({
      ...entry,
      id,
      seal,
      lacksSeal: false,
      isLater: true as const,
    })),
  );
}

const NAMES = SEALED_KINDS.map((kind) => ({
  ...{ kind, entity: entityTypeOf(kind) },
  ...{ id: `${kind}Id`, seal: `seal_${kind}` },
}));

/**
 * The records that an entry names. `seal` is of the entity itself, `seal_<kind>` of the record that `<kind>Id` names. `mustSeal`: it has no
 * seal although entries of its action have one. `isChanged`: it has no seal although the entry may have changed it.
 */
export function recordsIn({
  action,
  entityType,
  entityId,
  status,
  metadata,
}: Pick<NotedEntry, 'action' | 'entityType' | 'entityId' | 'status' | 'metadata'>) {
  const records: {
    kind: SealedKind;
    id: string;
    seal: string | undefined;
    mustSeal: boolean;
    isChanged: boolean;
  }[] = [];
  const mayChange = status === 'success' && metadata.sealed !== 'same';
  const seals = mayChange && SEALING_ACTIONS.has(action);
  const changes = mayChange && CHANGING_ACTIONS.has(action);
  const add = (kind: SealedKind, id: unknown, seal: unknown, mustSeal: boolean, isChanged: boolean) => {
    if (typeof id !== 'string') return;
    // A seal that says so would be no seal.
    if (typeof seal === 'string' && seal !== UNSEALED)
      records.push({ kind, id, seal, mustSeal: false, isChanged: false });
    else records.push({ kind, id, seal: undefined, mustSeal, isChanged });
  };
  // The person of a completed registration gets a phone.
  const isCompleted = mayChange && action === 'registration.completed';
  for (const { kind, entity, id, seal } of NAMES) {
    if (entityType === entity) add(kind, entityId, metadata.seal, seals, changes);
    add(kind, metadata[id], metadata[seal], false, isCompleted && kind === 'user');
  }
  return records;
}
