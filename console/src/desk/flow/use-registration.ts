import { useEffect, useRef, useState } from 'react';
import type { DeskService } from '../device/service';
import {
  CANCELLED,
  type Ended,
  type Following,
  follow,
  followFound,
  followOpened,
  type Opened,
  type Progress,
} from './follow-registration';
import type { OpenWork } from './open-work';
import type { Person } from './scene';

/** Somebody new, what a member has opened, or the registration that a phone had begun before the page was loaded. */
export type Subject =
  | { readonly person: Person }
  | { readonly opened: Opened }
  | { readonly found: OpenWork };

export interface Registering extends Progress {
  /** Ends it, also if a phone has begun, which may be somebody else's. */
  readonly cancel: () => void;
}

/** Follows a registration until its end. Leaving it cancels a code that no phone has taken. */
export function useRegistration(
  service: DeskService,
  subject: Subject,
  on: { readonly ended: (ended: Ended) => void; readonly error: (error: unknown) => void },
): Registering {
  const [shown, setShown] = useState<Progress>({
    state: 'found' in subject ? 'awaiting_commitment' : 'opening',
    isLost: false,
  });
  const cancel = useRef(() => {});
  // biome-ignore lint/correctness/useExhaustiveDependencies: one registration for each attempt
  useEffect(() => {
    const over = new AbortController();
    const { signal } = over;
    cancel.current = () => over.abort(CANCELLED);
    const update = (change: Partial<Progress>) =>
      signal.aborted || setShown((before) => ({ ...before, ...change }));
    const following = { service, signal, update };
    followed(following, subject).then(
      (ended) => signal.aborted || on.ended(ended),
      (error: unknown) => signal.aborted || on.error(error),
    );
    return () => over.abort();
  }, []);
  return { ...shown, cancel: () => cancel.current() };
}

function followed(following: Following, subject: Subject): Promise<Ended> {
  if ('found' in subject) return followFound(following, subject.found);
  return 'opened' in subject ? followOpened(following, subject.opened) : follow(following, subject.person);
}
