import { useEffect, useReducer } from 'react';
import { keepSession } from '../../ui/kept-session';
import { serverNow } from '../../ui/server-time';
import { cancel, consent, failureOf, readDetails, type SignIn } from './api';
import { type Action, next, type Returned, type Stage, type State, startState } from './stage';
import { completeSigned, confirmNearby, openWithKey } from './steps';
import { followSession } from './stream';

type Dispatch = (action: Action) => void;

/** Runs the sign-in of an address. */
export function useSignIn(uid: string, returned: Returned | 'other_tab' | undefined): [State, Dispatch] {
  const [state, dispatch] = useReducer(next, returned, startState);
  const { stage, signIn } = state;
  // A stage does its work once, also if it changes while it lasts.
  const work = workOf(stage);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `work` stands for the stage, and the sign-in is read before the others
  useEffect(() => {
    const over = new AbortController();
    void doWork(uid, { signIn, stage }, dispatch, over.signal).catch((error) => {
      if (!over.signal.aborted) dispatch({ type: 'failed', failure: failureOf(error) });
    });
    return () => over.abort();
  }, [uid, work]);
  useEnds(state, dispatch);
  useEffect(() => {
    // Back from the application or from the phone's page, with the state from before.
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && dispatch({ type: 'restored' });
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  }, []);
  return [state, dispatch];
}

function workOf(stage: Stage): string {
  if (stage.at === 'waiting' || stage.at === 'noting') return `${stage.at} ${stage.session.id}`;
  // The stream goes on.
  if (stage.at === 'nearby') return `waiting ${stage.session.id}`;
  return stage.at === 'opening' && stage.sameDevice ? 'opening here' : stage.at;
}

async function doWork(
  uid: string,
  { signIn, stage }: State,
  dispatch: Dispatch,
  signal: AbortSignal,
): Promise<void> {
  if (stage.at === 'reading') return dispatch({ type: 'read', signIn: await readDetails(uid, signal) });
  if (signIn !== undefined) return doStep(uid, signIn, stage, dispatch, signal);
}

async function doStep(
  uid: string,
  signIn: SignIn,
  stage: Stage,
  dispatch: Dispatch,
  signal: AbortSignal,
): Promise<void> {
  switch (stage.at) {
    case 'opening': {
      const { sameDevice } = stage;
      return dispatch({
        type: 'opened',
        sameDevice,
        session: await openWithKey(uid, signIn, sameDevice, signal),
      });
    }
    case 'waiting':
    case 'noting':
    case 'nearby': {
      const sessionId = stage.session.id;
      const complete = () => completeSigned(uid, signIn, { sessionId }, signal);
      return followSession(uid, sessionId, dispatch, complete, signal);
    }
    case 'confirming-nearby': {
      const asked = { sessionId: stage.session.id, options: stage.options };
      return dispatch({ type: 'nearby', accepted: await confirmNearby(uid, signIn, asked, signal) });
    }
    case 'moving':
      keepSession(uid, stage.session.id);
      return location.assign(`/phone/#code=${encodeURIComponent(stage.session.qrPayload)}`);
    case 'completing': {
      const { at: _, ...done } = stage;
      const to = await completeSigned(uid, signIn, done, signal);
      return dispatch({ type: 'redirected', to });
    }
    case 'consenting':
      return dispatch({ type: 'redirected', to: await consent(uid, signal) });
    case 'cancelling':
      return dispatch({ type: 'redirected', to: await cancel(uid, signal) });
    case 'leaving':
      // The sign-in is over, so the way back does not lead here.
      return location.replace(stage.to);
  }
}

/** How long to wait for the service's own word that a code expired. It may have been approved in its last second. */
const GRACE_MS = 2_000;

function useEnds({ signIn, stage }: State, dispatch: Dispatch): void {
  const signInEnds = signIn?.expiresAt;
  useEffect(() => {
    if (signInEnds === undefined) return;
    return callAt(signInEnds, () => dispatch({ type: 'time-up' }));
  }, [signInEnds, dispatch]);
  const session = stage.at === 'waiting' || stage.at === 'nearby' ? stage.session : undefined;
  const { id: sessionId, expiresAt } = session ?? {};
  useEffect(() => {
    if (sessionId === undefined || expiresAt === undefined) return;
    return callAt(expiresAt, () => dispatch({ type: 'ended', sessionId, how: 'expired' }));
  }, [sessionId, expiresAt, dispatch]);
}

/** About 25 days. Browsers call immediately what is due later. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Returns what cancels the call. */
function callAt(time: string, call: () => void): () => void {
  const delay = Math.max(0, Date.parse(time) - serverNow()) + GRACE_MS;
  const timer = setTimeout(call, Math.min(delay, MAX_DELAY_MS));
  return () => clearTimeout(timer);
}
