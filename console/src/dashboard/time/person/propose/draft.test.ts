import { expect, it } from 'vitest';
import { draftsWith, NO_DRAFTS, proposalOf } from './draft';

it('changes, removes and adds events at the time of the site', () => {
  const changed = draftsWith(NO_DRAFTS, {
    id: 'a',
    to: { kind: 'change', act: 'come', local: '2026-05-12T07:30' },
  });
  const removed = draftsWith(changed, { id: 'b', to: { kind: 'remove' } });
  const drafts = { ...removed, added: [{ act: 'endBreak', local: '2026-05-12T12:30' }] as const };
  expect(proposalOf('ada', drafts, { cause: 'forgotten', note: ' ' }, 'Europe/Berlin')).toEqual({
    userId: 'ada',
    cause: 'forgotten',
    changes: [
      { old: 'a', new: { type: 'check_in', reason: 'work', occurredAt: '2026-05-12T05:30:00.000Z' } },
      { old: 'b', new: null },
      { old: null, new: { type: 'check_in', reason: 'break', occurredAt: '2026-05-12T10:30:00.000Z' } },
    ],
  });
});

it('keeps an event again, and leaves out a new one', () => {
  const drafts = draftsWith(NO_DRAFTS, { id: 'a', to: { kind: 'remove' } });
  expect(draftsWith(drafts, { id: 'a', to: undefined })).toEqual(NO_DRAFTS);
  const added = { ...NO_DRAFTS, added: [{ act: 'go', local: '2026-05-12T17:00' }] as const };
  expect(draftsWith(added, { at: 0, to: undefined })).toEqual(NO_DRAFTS);
});
