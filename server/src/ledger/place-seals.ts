import { entityTypeOf } from '@svc/zk/records/kinds';
import type { AuditMetadata } from './audit-chain.js';
import type { PlacedSeal } from './record-seal.js';
import type { AuditEntry } from './write.js';

/** What is written when no other entry of a write can name a record that it seals. */
const CHANGED = { device: 'device.updated', user: 'user.updated' } as const;

/**
 * The entries of a write with its seals: `seal` in the entry about the record itself, else `seal_<kind>` in the entry that names it as
 * `<kind>Id`, or in the first about something else that names no record of its kind. A record that finds no such entry gets one of its
 * own, after the others, because a repeated request and an import read the first.
 */
export function withSeals(entries: readonly AuditEntry[], seals: readonly PlacedSeal[]): AuditEntry[] {
  const sealed = [...entries];
  // Of a record that was changed more than once, the row has the last.
  const last = new Map(seals.map((placed) => [placed.id, placed]));
  for (const { kind, id, seal } of last.values()) {
    const [named, own, type] = [`${kind}Id`, `seal_${kind}`, entityTypeOf(kind)];
    const isAbout = ({ entityType, entityId }: AuditEntry) => entityType === type && entityId === id;
    const hasRoom = ({ metadata }: AuditEntry) => metadata?.[own] === undefined;
    const add = (at: number, metadata: AuditMetadata) => {
      const entry = sealed[at] as AuditEntry;
      sealed[at] = { ...entry, metadata: { ...entry.metadata, ...metadata } };
    };
    const about = sealed.findIndex(isAbout);
    const naming = sealed.findIndex((entry) => hasRoom(entry) && entry.metadata?.[named] === id);
    const isFree = ({ entityType, metadata }: AuditEntry) =>
      entityType !== type && metadata?.[named] === undefined;
    const free = sealed.findIndex((entry) => hasRoom(entry) && isFree(entry));
    const at = naming < 0 ? free : naming;
    if (about >= 0) add(about, { seal });
    else if (at >= 0) add(at, { [named]: id, [own]: seal });
    else if (kind in CHANGED)
      sealed.push({
        action: CHANGED[kind as keyof typeof CHANGED],
        entityType: kind,
        entityId: id,
        metadata: { seal },
      });
    else throw new Error(`No entry of this write can name the ${kind} that it seals`);
  }
  return sealed;
}
