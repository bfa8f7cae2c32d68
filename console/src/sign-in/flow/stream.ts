import { failureOf } from './api';
import type { Action } from './stage';

const ENDS = {
  session_declined: 'declined',
  session_rejected: 'rejected',
  session_expired: 'expired',
} as const;
const TYPES = [
  'session_created',
  'session_error',
  'qr',
  'phone_connected',
  'session_needs_nearby',
  'session_bound',
  ...Object.keys(ENDS),
];

/** What an event of the stream means. Undefined for one that this page doesn't know. */
export function actionOf(type: string, data: string, sessionId: string): Action | undefined {
  if (Object.hasOwn(ENDS, type)) return { type: 'ended', sessionId, how: ENDS[type as keyof typeof ENDS] };
  if (type === 'session_bound') return { type: 'bound', sessionId };
  if (type === 'session_error') return { type: 'refused', sessionId };
  if (type === 'session_created' || type === 'phone_connected') {
    const at = valueIn(data, 'phoneConnectedAt');
    return typeof at === 'string' ? { type: 'phone', sessionId, at } : { type: 'resumed', sessionId };
  }
  if (type === 'session_needs_nearby') {
    const options = valueIn(data, 'options');
    return typeof options === 'object' && options !== null
      ? { type: 'needs-nearby', sessionId, options }
      : undefined;
  }
  if (type !== 'qr') return undefined;
  const [qrPayload, url] = [valueIn(data, 'qrPayload'), valueIn(data, 'url')];
  if (typeof qrPayload !== 'string') return undefined;
  return { type: 'qr', sessionId, qrPayload, ...(typeof url === 'string' && { url }) };
}

function valueIn(data: string, name: string): unknown {
  try {
    return (JSON.parse(data) as Record<string, unknown> | null)?.[name];
  } catch {
    return undefined;
  }
}

const isLast = ({ type }: Action): boolean => type === 'bound' || type === 'ended';

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 5_000;

/**
 * Follows a session until its last event, and connects again as long as the sign-in is open. `EventSource` reconnects after a cut,
 * but gives up after an error response, such as 429 because too many streams are open. Before each further attempt, the page then
 * asks whether the phone has approved.
 */
export function followSession(
  uid: string,
  sessionId: string,
  dispatch: (action: Action) => void,
  complete: () => Promise<string>,
  signal: AbortSignal,
): void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let delay = FIRST_DELAY_MS;
  const stop = () => {
    source?.close();
    clearTimeout(timer);
  };
  const connect = () => {
    stop();
    if (signal.aborted) return;
    const opened = new EventSource(`/sign-in/${uid}/stream?session=${encodeURIComponent(sessionId)}`);
    source = opened;
    for (const type of TYPES)
      opened.addEventListener(type, (event) => {
        const action = actionOf(type, (event as MessageEvent<string>).data, sessionId);
        if (action === undefined) return;
        delay = FIRST_DELAY_MS;
        if (isLast(action)) stop();
        dispatch(action);
      });
    opened.addEventListener('error', () => {
      if (opened.readyState !== EventSource.CLOSED) return dispatch({ type: 'lost', sessionId });
      timer = setTimeout(() => void askAndConnect(), delay);
      delay = Math.min(delay * 2, MAX_DELAY_MS);
    });
  };
  const askAndConnect = async () => {
    try {
      const to = await complete();
      dispatch({ type: 'bound', sessionId });
      return dispatch({ type: 'redirected', to });
    } catch (error) {
      if (signal.aborted) return;
      const failure = failureOf(error);
      if (failure === 'not_open') return dispatch({ type: 'failed', failure });
      dispatch({ type: failure === 'unreachable' ? 'lost' : 'asking', sessionId });
    }
    connect();
  };
  connect();
  addEventListener('online', connect, { signal });
  signal.addEventListener('abort', stop);
}
