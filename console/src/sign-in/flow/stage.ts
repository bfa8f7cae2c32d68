import type { Failure, Session, SignIn } from './api';

/** How a code ended without an approval. */
export type End = 'declined' | 'rejected' | 'expired';

/** What the phone's page returned with. */
export interface Returned {
  readonly sessionId: string;
  readonly returnCode: string;
}

/** How the page learns what the phone does: from a stream, by asking because the service has no stream left, or not at all. */
export type Link = 'live' | 'asking' | 'lost';

export type Stage =
  | { readonly at: 'reading'; readonly returned?: Returned | 'other_tab' | undefined }
  /** Nothing is open, because only this device may approve and nobody asked it to. */
  | { readonly at: 'choosing' }
  /** The person is signed in, and decides what the application gets. */
  | { readonly at: 'asking-consent' }
  | { readonly at: 'consenting' }
  | { readonly at: 'opening'; readonly sameDevice: boolean }
  | {
      readonly at: 'waiting';
      readonly session: Session;
      readonly link: Link;
      readonly refused: boolean;
      /** When a phone last opened the code. */
      readonly phoneAt?: string;
      /** The one that was somebody else's, or that the service refused, so that the code came back. */
      readonly strangerAt?: string | undefined;
    }
  /** The phone's page in this browser will ask for a number, which this page shows before. */
  | { readonly at: 'noting'; readonly session: Session }
  /** On the way to the phone's page in this browser. */
  | { readonly at: 'moving'; readonly session: Session }
  /** The proof was valid, and this browser is new to the person, so it asks for the phone beside it. */
  | { readonly at: 'nearby'; readonly session: Session; readonly options: object; readonly refused: boolean }
  | { readonly at: 'confirming-nearby'; readonly session: Session; readonly options: object }
  /** The phone is here. The person says whether this is their computer. */
  | { readonly at: 'asking-computer'; readonly sessionId: string }
  | {
      readonly at: 'completing';
      readonly sessionId: string;
      readonly returnCode?: string | undefined;
      readonly remember?: boolean;
    }
  | { readonly at: 'cancelling' }
  | { readonly at: 'leaving'; readonly to: string; readonly approved: boolean }
  | { readonly at: 'ended'; readonly how: End }
  | { readonly at: 'failed'; readonly failure: Exclude<Failure, 'not_open'>; readonly before: Stage }
  /** This browser has no such sign-in, or no longer. */
  | { readonly at: 'closed' };

export interface State {
  readonly signIn?: SignIn | undefined;
  readonly stage: Stage;
}

export type Action =
  | { readonly type: 'read'; readonly signIn: SignIn }
  | { readonly type: 'opened'; readonly sameDevice: boolean; readonly session: Session }
  | { readonly type: 'qr'; readonly sessionId: string; readonly qrPayload: string; readonly url?: string }
  | {
      readonly type: 'lost' | 'asking' | 'resumed' | 'refused' | 'bound';
      readonly sessionId: string;
    }
  | { readonly type: 'phone'; readonly sessionId: string; readonly at: string }
  | { readonly type: 'needs-nearby'; readonly sessionId: string; readonly options: object }
  | { readonly type: 'nearby'; readonly accepted: boolean }
  | { readonly type: 'computer'; readonly isMine: boolean }
  | { readonly type: 'ended'; readonly sessionId: string; readonly how: End }
  | { readonly type: 'failed'; readonly failure: Failure }
  | { readonly type: 'redirected'; readonly to: string }
  | {
      readonly type:
        | 'approve-here'
        | 'consent'
        | 'noted'
        | 'ask-nearby'
        | 'new-code'
        | 'show-code'
        | 'cancel'
        | 'retry'
        | 'time-up'
        | 'restored';
    };

export const startState = (returned?: Returned | 'other_tab'): State => ({
  stage: { at: 'reading', returned },
});

/** Whether the code gives way to the number, because a phone has opened it. */
export const isConnected = (stage: Stage): boolean =>
  stage.at === 'waiting' && stage.phoneAt !== undefined && stage.phoneAt !== stage.strangerAt;

/** Stages in which nothing can happen any more, or only the browser's own navigation. */
const isFinal = ({ at }: Stage): boolean => at === 'leaving' || at === 'closed';

/** The next state. An action that does not fit the stage, such as a late event of an older code, changes nothing. */
export function next(state: State, action: Action): State {
  const { stage, signIn } = state;
  const to = (stage: Stage): State => ({ signIn, stage });
  switch (action.type) {
    case 'read':
      if (stage.at !== 'reading') return state;
      return { signIn: action.signIn, stage: afterReading(stage, action.signIn) };
    case 'opened':
      if (stage.at !== 'opening' || stage.sameDevice !== action.sameDevice) return state;
      return to(
        stage.sameDevice
          ? { at: action.session.matchCode === null ? 'moving' : 'noting', session: action.session }
          : { at: 'waiting', session: action.session, link: 'live', refused: false },
      );
    case 'qr':
    case 'lost':
    case 'asking':
    case 'resumed':
    case 'refused':
    case 'phone':
    case 'needs-nearby':
    case 'bound':
    case 'ended':
      if (stage.at === 'noting') return to(afterEventWhileNoting(stage, action));
      if (stage.at === 'nearby') return to(afterEventWhileNearby(stage, action));
      if (stage.at !== 'waiting' || stage.session.id !== action.sessionId) return state;
      return to(afterEvent(stage, action));
    case 'failed':
      if (isFinal(stage)) return state;
      if (action.failure === 'not_open') return to({ at: 'closed' });
      if (stage.at === 'failed') return state;
      return to({ at: 'failed', failure: action.failure, before: stage });
    case 'redirected':
      if (stage.at !== 'completing' && stage.at !== 'consenting' && stage.at !== 'cancelling') return state;
      return to({ at: 'leaving', to: action.to, approved: stage.at !== 'cancelling' });
    case 'retry':
      return stage.at === 'failed' ? to(retryOf(stage)) : state;
    case 'approve-here':
      return canChoose(state) || isOpeningCode(state) ? to({ at: 'opening', sameDevice: true }) : state;
    case 'ask-nearby': {
      if (stage.at !== 'nearby') return state;
      const { session, options } = stage;
      return to({ at: 'confirming-nearby', session, options });
    }
    case 'nearby': {
      if (stage.at !== 'confirming-nearby') return state;
      const { session, options } = stage;
      return to(
        action.accepted
          ? { at: 'asking-computer', sessionId: session.id }
          : { at: 'nearby', session, options, refused: true },
      );
    }
    case 'computer':
      return stage.at === 'asking-computer'
        ? to({ at: 'completing', sessionId: stage.sessionId, remember: action.isMine })
        : state;
    case 'consent':
      return stage.at === 'asking-consent' ? to({ at: 'consenting' }) : state;
    case 'noted':
      return stage.at === 'noting' ? to({ at: 'moving', session: stage.session }) : state;
    case 'show-code':
      return stage.at === 'waiting' ? to({ ...stage, strangerAt: stage.phoneAt }) : state;
    case 'new-code':
      return canChoose(state) ? to(firstStage(signIn)) : state;
    case 'cancel':
      return canCancel(state) ? to({ at: 'cancelling' }) : state;
    case 'time-up':
      // An approval that the service already has may still be completed.
      return isFinal(stage) || stage.at === 'completing' ? state : to({ at: 'closed' });
    case 'restored':
      return to({ at: 'reading' });
  }
}

/** Whether the person can choose how to go on. */
const canChoose = ({ signIn, stage }: State): boolean =>
  signIn !== undefined &&
  ['asking-consent', 'choosing', 'waiting', 'noting', 'nearby', 'ended', 'failed'].includes(stage.at);

/** Somebody may know that they need no code before there is one. */
const isOpeningCode = ({ stage }: State): boolean => stage.at === 'opening' && !stage.sameDevice;

export const canCancel = (state: State): boolean =>
  canChoose(state) || (state.signIn !== undefined && state.stage.at === 'opening');

function firstStage(signIn: SignIn | undefined): Stage {
  if (signIn?.consent) return { at: 'asking-consent' };
  return signIn?.sameDeviceOnly ? { at: 'choosing' } : { at: 'opening', sameDevice: false };
}

function afterReading(stage: Stage & { at: 'reading' }, signIn: SignIn): Stage {
  const { returned } = stage;
  if (returned === undefined) return firstStage(signIn);
  if (returned === 'other_tab') return { at: 'failed', failure: 'other_tab', before: stage };
  return { at: 'completing', ...returned };
}

type SessionEvent = Extract<Action, { readonly sessionId: string }>;

/** The session with its next code. The address of the one before would be too old. */
function movedTo(
  { url: _, ...session }: Session,
  { qrPayload, url }: Extract<Action, { type: 'qr' }>,
): Session {
  return { ...session, qrPayload, ...(url !== undefined && { url }) };
}

function afterEvent(stage: Stage & { at: 'waiting' }, event: SessionEvent): Stage {
  switch (event.type) {
    case 'qr':
      return { ...stage, link: 'live', session: movedTo(stage.session, event) };
    case 'lost':
    case 'asking':
      return { ...stage, link: event.type };
    case 'resumed':
      return { ...stage, link: 'live' };
    case 'refused':
      // That phone may give up, and the next one needs the code.
      return { ...stage, refused: true, strangerAt: stage.phoneAt };
    case 'phone': {
      const refused = stage.refused && event.at === stage.strangerAt;
      return { ...stage, link: 'live', refused, phoneAt: event.at };
    }
    case 'needs-nearby':
      return { at: 'nearby', session: stage.session, options: event.options, refused: false };
    case 'bound':
      return { at: 'completing', sessionId: stage.session.id };
    case 'ended':
      return { at: 'ended', how: event.how };
  }
}

/** The code keeps moving, so that the phone's page gets a valid one. */
function afterEventWhileNoting(stage: Stage & { at: 'noting' }, event: SessionEvent): Stage {
  if (stage.session.id !== event.sessionId) return stage;
  if (event.type === 'ended') return { at: 'ended', how: event.how };
  return event.type === 'qr' ? { ...stage, session: movedTo(stage.session, event) } : stage;
}

/** Another tab may have gone on, or the phone has declined after all. */
function afterEventWhileNearby(stage: Stage & { at: 'nearby' }, event: SessionEvent): Stage {
  if (stage.session.id !== event.sessionId) return stage;
  if (event.type === 'ended') return { at: 'ended', how: event.how };
  return event.type === 'bound' ? { at: 'completing', sessionId: stage.session.id } : stage;
}

/** What did not arrive is sent again. A code that was not approved is not worth a second attempt. */
function retryOf({ before, failure }: Stage & { at: 'failed' }): Stage {
  const isWorthless =
    failure === 'not_approved' ||
    failure === 'other_tab' ||
    failure === 'not_signed' ||
    failure === 'not_nearby';
  return isWorthless ? { at: 'reading' } : before;
}
