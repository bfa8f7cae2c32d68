import type { CorrectionCreateParams } from '@svc/sdk';
import { momentOf } from '../../../../ui/dates/local-time';
import { type Act, kindOf } from '../../parts/acts';

/** The most changes of one correction. */
export const MAX_CHANGES = 10;

/** An event as it should be, in the time of the site. */
export interface Draft {
  readonly act: Act;
  /** Such as `2026-05-12T08:00`. */
  readonly local: string;
}

/** What is proposed for an event that exists. An event without an edit stays. */
export type Edit = { readonly kind: 'remove' } | ({ readonly kind: 'change' } & Draft);

/** All that is proposed for a day. */
export interface Drafts {
  /** By the id of the event. */
  readonly edits: ReadonlyMap<string, Edit>;
  readonly added: readonly Draft[];
}

export const NO_DRAFTS: Drafts = { edits: new Map(), added: [] };

export const countOf = ({ edits, added }: Drafts): number => edits.size + added.length;

/** With another edit of an event, or another draft at a place of the new ones. Undefined takes it away. */
export function draftsWith(
  { edits, added }: Drafts,
  change:
    | { readonly id: string; readonly to: Edit | undefined }
    | { readonly at: number; readonly to: Draft | undefined },
): Drafts {
  if ('at' in change)
    return { edits, added: added.flatMap((draft, at) => (at === change.at ? (change.to ?? []) : draft)) };
  const others = [...edits].filter(([id]) => id !== change.id);
  return { edits: new Map(change.to ? [...others, [change.id, change.to]] : others), added };
}

type Change = CorrectionCreateParams['changes'][number];

/** The correction for the API: changes of events that exist come before new ones. */
export function proposalOf(
  userId: string,
  { edits, added }: Drafts,
  { cause, note }: Readonly<Record<'cause' | 'note', string>>,
  timeZone: string,
): CorrectionCreateParams {
  const newOf = ({ act, local }: Draft): Change['new'] => ({
    ...kindOf(act),
    occurredAt: new Date(momentOf(local, timeZone)).toISOString(),
  });
  return {
    ...{ userId, cause: cause as CorrectionCreateParams['cause'] },
    ...(note.trim() !== '' && { note: note.trim() }),
    changes: [
      ...[...edits].map(([old, edit]) => ({ old, new: edit.kind === 'remove' ? null : newOf(edit) })),
      ...added.map((draft) => ({ old: null, new: newOf(draft) })),
    ],
  };
}
