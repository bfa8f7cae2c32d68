import { useEffect, useRef, useState } from 'react';
import { Button } from '../ui/forms/button';
import { Notice } from '../ui/layout/surface';
import style from './demo.module.css';
import type { DemoEvent, DemoRequest } from './demo.worker';

type Done = DemoEvent & { readonly step: 'done' };

const STEPS = { loading: 'Loading the circuit …', proving: 'Proving …', verifying: 'Verifying …' } as const;
const BYTES = new Intl.NumberFormat('en');

/** A phone that proves who its owner is. The proof is made and verified in a worker, so that the page stays responsive. */
export function Demo() {
  const worker = useRef<Worker>(undefined);
  const [event, setEvent] = useState<DemoEvent>();
  useEffect(() => () => worker.current?.terminate(), []);
  const send = (request: DemoRequest) => {
    worker.current ??= start(setEvent, () => {
      worker.current = undefined;
    });
    worker.current.postMessage(request);
  };
  const done = event?.step === 'done' ? event : undefined;
  const busy = event !== undefined && event.step !== 'done' && event.step !== 'failed';
  return (
    <div className={style.stage}>
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
        <Ring state={busy ? 'busy' : done === undefined ? 'idle' : done.valid ? 'valid' : 'invalid'} />
        <div className={style.verdict} role="status">
          <Verdict step={busy ? event.step : undefined} done={done} />
        </div>
      </div>
      <div className={style.facts}>
        <Facts done={done} />
        {event?.step === 'failed' && <Notice tone="bad">{event.message}</Notice>}
        <Button look="primary" busy={busy} onClick={() => send('prove')}>
          {done ? 'Prove again' : 'Create a proof'}
        </Button>
        {done?.valid && <Button onClick={() => send('tamper')}>Change one digit and verify again</Button>}
      </div>
    </div>
  );
}

function Verdict({
  step,
  done,
}: {
  readonly step: keyof typeof STEPS | undefined;
  readonly done: Done | undefined;
}) {
  if (step !== undefined) return <strong>{STEPS[step]}</strong>;
  if (done === undefined)
    return (
      <>
        <strong>Try it here</strong>
        <p>Your browser acts as the phone. Nothing is sent.</p>
      </>
    );
  if (!done.valid)
    return (
      <>
        <strong>Rejected</strong>
        <p>The proof is bound to another request. A copied proof fails in the same way.</p>
      </>
    );
  return (
    <>
      <strong>Verified</strong>
      <p>Made in this browser, just now.</p>
    </>
  );
}

/** What was measured and made, or dashes before the first proof. */
const Facts = ({ done }: { readonly done: Done | undefined }) => (
  <dl>
    <dt>Proved in</dt>
    <dd>{done ? `${Math.round(done.provedMs)} ms` : '–'}</dd>
    <dt>Verified in</dt>
    <dd>{done ? `${done.verifiedMs.toFixed(1)} ms` : '–'}</dd>
    <dt>Sent</dt>
    <dd>{done ? `${BYTES.format(sizeOf(done))} bytes` : '–'}</dd>
    <dt>Commitment</dt>
    <dd>{done ? <code>{short(done.commitment)}</code> : '–'}</dd>
    <dt>Proof</dt>
    <dd>{done ? <code>{short(done.proof.pi_a[0] ?? '')}</code> : '–'}</dd>
    <dt>Bound to</dt>
    <dd>{done ? <code>{short(done.signals[1] ?? '')}</code> : '–'}</dd>
  </dl>
);

const short = (number: string): string => `${number.slice(0, 6)}…${number.slice(-4)}`;
const sizeOf = ({ proof, signals }: Done): number => JSON.stringify({ proof, publicSignals: signals }).length;

const Ring = ({ state }: { readonly state: 'idle' | 'busy' | 'valid' | 'invalid' }) => (
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
      message:
        'The prover did not start. It needs WebAssembly, module workers and a network connection. Try again.',
    });
  });
  return worker;
}
