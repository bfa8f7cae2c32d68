import { useEffect, useRef, useState } from 'react';
import { Button } from '../ui/forms/button';
import { Badge, Notice } from '../ui/layout/surface';
import style from './demo.module.css';
import type { DemoEvent, DemoRequest } from './demo.worker';

const STEPS = { loading: 'Loading the circuit', proving: 'Proving', verifying: 'Verifying' } as const;

/** Creates and verifies a proof in a worker, so that the page stays responsive. */
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
  const busy = event !== undefined && event.step !== 'done' && event.step !== 'failed';
  return (
    <div className={style.demo}>
      <div className={style.actions}>
        <Button look="primary" busy={busy} onClick={() => send('prove')}>
          {event?.step === 'done' ? 'Create another proof' : 'Create a proof'}
        </Button>
        {event?.step === 'done' && event.valid && (
          <Button onClick={() => send('tamper')}>Change one digit and verify again</Button>
        )}
        <span role="status">{busy && `${STEPS[event.step]} …`}</span>
      </div>
      {event?.step === 'failed' && <Notice tone="bad">{event.message}</Notice>}
      {event?.step === 'done' && <Result {...event} />}
    </div>
  );
}

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

const Result = ({
  valid,
  commitment,
  proof,
  signals,
  provedMs,
  verifiedMs,
}: DemoEvent & { readonly step: 'done' }) => (
  <div className={style.result} aria-live="polite">
    <p className={style.verdict}>
      {valid ? <Badge tone="good">valid</Badge> : <Badge tone="bad">rejected</Badge>}
      {valid
        ? `Proved in ${Math.round(provedMs)} ms, verified in ${verifiedMs.toFixed(1)} ms.`
        : 'One digit of the request that the proof is bound to was changed, so the proof is invalid. A copied proof fails in the same way.'}
    </p>
    <dl>
      <dt>Stayed here: the secret</dt>
      <dd>a 248-bit number, never shown</dd>
      <dt>Sent at registration: the commitment</dt>
      <dd>
        <code>{commitment}</code>
      </dd>
      <dt>Sent each time: the proof</dt>
      <dd>
        <code>
          {[...proof.pi_a.slice(0, 2), ...proof.pi_c.slice(0, 2)]
            .map((part) => `${part.slice(0, 18)}…`)
            .join('  ')}
        </code>
      </dd>
      <dt>Bound to</dt>
      <dd>
        <code>{signals[1]}</code>
      </dd>
    </dl>
  </div>
);
