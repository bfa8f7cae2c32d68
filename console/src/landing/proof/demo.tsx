import { type RefObject, useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Notice } from '../../ui/layout/surface';
import { inSeconds } from '../../ui/numbers';
import style from './demo.module.css';
import type { DemoEvent, DemoRequest, Made } from './demo.worker';
import { onceInView } from './once-in-view';

type Running = 'loading' | 'proving' | 'verifying';

const STEPS: Record<Running, string> = {
  loading: 'Loading the prover …',
  proving: 'Proving …',
  verifying: 'Checking the proof …',
};

/**
 * A phone that proves who its owner is, by itself once it is in view. The proof is made and verified in a worker, so that the page
 * stays responsive.
 */
export function Demo() {
  const stage = useRef<HTMLDivElement>(null);
  const [event, send] = useProver(stage);
  const isBusy = event !== undefined && event.step !== 'done' && event.step !== 'failed';
  const isDone = event?.step === 'done';
  const isFailed = event?.step === 'failed';
  return (
    <div className={style.stage} ref={stage}>
      <div className={style.phone}>
        <div className={style.who}>
          <span className={style.logo} aria-hidden="true">
            A
          </span>
          <div>
            <strong>Acme Access</strong>
            <p>wants to know it is you</p>
          </div>
        </div>
        <Ring state={isBusy ? event.step : isDone ? (event.valid ? 'valid' : 'invalid') : 'idle'} />
        <div className={style.verdict} role="status">
          <Verdict event={event} />
        </div>
      </div>
      <div className={style.facts}>
        <Facts made={event === undefined || isFailed ? {} : event.made} />
        {isFailed && <Notice tone="bad">{event.message}</Notice>}
        <Button look="primary" busy={isBusy} onClick={() => send('prove')}>
          {isDone ? 'Prove again' : isFailed ? 'Try again' : 'Create a proof'}
        </Button>
        {isDone && event.valid && (
          <Button onClick={() => send('tamper')}>Change one digit and check again</Button>
        )}
        <p className={style.unscripted}>The proof is made by your browser, which needs JavaScript for it.</p>
      </div>
    </div>
  );
}

/** What the prover last said, and how to ask it. The first request is sent once the place is in view. */
function useProver(place: RefObject<HTMLElement | null>) {
  const worker = useRef<Worker>(undefined);
  const [event, setEvent] = useState<DemoEvent>();
  const send = useRef((request: DemoRequest) => {
    if (typeof WebAssembly === 'undefined') return setEvent({ step: 'failed', message: NO_WEBASSEMBLY });
    worker.current ??= start(setEvent, () => {
      worker.current = undefined;
    });
    worker.current.postMessage(request);
  }).current;
  useEffect(() => {
    const stop = onceInView(place.current as HTMLElement, () => send('prove'));
    return () => {
      stop();
      worker.current?.terminate();
    };
  }, [place, send]);
  return [event, send] as const;
}

const NO_WEBASSEMBLY =
  'This browser has WebAssembly turned off, which the prover needs. It works in the current versions of all browsers.';

function Verdict({ event }: { readonly event: DemoEvent | undefined }) {
  if (event === undefined)
    return (
      <>
        <strong>Try it here</strong>
        <p>Your browser acts as the phone. Nothing is sent.</p>
      </>
    );
  if (event.step === 'failed') return <strong>No proof was made</strong>;
  if (event.step !== 'done') return <strong>{STEPS[event.step]}</strong>;
  if (!event.valid)
    return (
      <>
        <strong>Rejected</strong>
        <p>The proof is bound to another request. A copied proof fails in the same way.</p>
      </>
    );
  return (
    <>
      <strong>Verified</strong>
      <p>
        Your browser proved in {inSeconds(event.made.provedMs)} that it knows a secret, without showing it to
        anybody.
      </p>
    </>
  );
}

/** What was measured and made, or dashes for what is still to come. */
const Facts = ({
  made: { commitment, bound, proof, provedMs, bytes, verifiedMs },
}: {
  readonly made: Made;
}) => (
  <dl>
    <dt>Commitment</dt>
    <dd>{commitment ? <code>{short(commitment)}</code> : NOT_YET}</dd>
    <dt>Bound to</dt>
    <dd>{bound ? <code>{short(bound)}</code> : NOT_YET}</dd>
    <dt>Proof</dt>
    <dd>{proof ? <code>{short(proof.pi_a[0] ?? '')}</code> : NOT_YET}</dd>
    <dt>Size</dt>
    <dd>{bytes ? `${BYTES.format(bytes)} bytes` : NOT_YET}</dd>
    <dt>Proved in</dt>
    <dd>{provedMs ? `${Math.round(provedMs)} ms` : NOT_YET}</dd>
    <dt>Checked in</dt>
    <dd>{verifiedMs ? `${verifiedMs.toFixed(1)} ms` : NOT_YET}</dd>
  </dl>
);

const NOT_YET = '–';
const BYTES = new Intl.NumberFormat('en');
const short = (number: string): string => `${number.slice(0, 6)}…${number.slice(-4)}`;

const Ring = ({ state }: { readonly state: Running | 'idle' | 'valid' | 'invalid' }) => (
  <svg className={style.ring} viewBox="0 0 120 120" data-state={state} aria-hidden="true">
    <circle className={style.track} cx="60" cy="60" r="54" />
    <circle className={style.arc} cx="60" cy="60" r="54" pathLength={1} />
    {state === 'valid' && <path className={style.tick} d="M38 62l15 15 30-31" pathLength={1} />}
    {state === 'invalid' && <path className={style.tick} d="M44 44l32 32m0-32l-32 32" pathLength={1} />}
  </svg>
);

/** `onEnd` is called if the worker fails to start or crashes. The next click then starts a new worker. */
function start(onEvent: (event: DemoEvent) => void, onEnd: () => void): Worker {
  const worker = new Worker(new URL('./demo.worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<DemoEvent>) => onEvent(data));
  worker.addEventListener('error', () => {
    worker.terminate();
    onEnd();
    onEvent({
      step: 'failed',
      message: 'The prover did not start. Check your connection and try again.',
    });
  });
  return worker;
}
