import { useEffect, useRef, useState } from 'react';
import { Button } from '../ui/forms/button';
import { Badge, Notice } from '../ui/layout/surface';
import style from './demo.module.css';
import type { DemoEvent, DemoRequest } from './demo.worker';

const STEPS = { loading: 'Loading the circuit', proving: 'Proving', verifying: 'Verifying' } as const;

/** A proof made and checked in a worker of the visitor's browser, so that the page stays alive meanwhile. */
export function Demo() {
  const worker = useRef<Worker>(undefined);
  const [event, setEvent] = useState<DemoEvent>();
  useEffect(() => () => worker.current?.terminate(), []);
  const ask = (request: DemoRequest) => {
    worker.current ??= start(setEvent, () => {
      worker.current = undefined;
    });
    worker.current.postMessage(request);
  };
  const busy = event !== undefined && event.step !== 'done' && event.step !== 'failed';
  return (
    <div className={style.demo}>
      <div className={style.actions}>
        <Button look="primary" busy={busy} onClick={() => ask('prove')}>
          {event?.step === 'done' ? 'Make another proof' : 'Make a proof'}
        </Button>
        {event?.step === 'done' && event.valid && (
          <Button onClick={() => ask('tamper')}>Change one digit, and check again</Button>
        )}
        <span role="status">{busy && `${STEPS[event.step]} …`}</span>
      </div>
      {event?.step === 'failed' && <Notice tone="bad">{event.message}</Notice>}
      {event?.step === 'done' && <Result {...event} />}
    </div>
  );
}

/** `onEnd` is told of one that did not start, or broke down: the next press is another one's. */
function start(onEvent: (event: DemoEvent) => void, onEnd: () => void): Worker {
  const worker = new Worker(new URL('./demo.worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<DemoEvent>) => onEvent(data));
  worker.addEventListener('error', () => {
    worker.terminate();
    onEnd();
    onEvent({
      step: 'failed',
      message: 'The prover did not start. Try again; it needs WebAssembly, module workers and a network.',
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
      {valid ? <Badge tone="good">valid</Badge> : <Badge tone="bad">refused</Badge>}
      {valid
        ? `Proved in ${Math.round(provedMs)} ms, verified in ${verifiedMs.toFixed(1)} ms.`
        : 'One digit of what the proof is bound to is another, so it proves nothing. That is what a copied proof is worth.'}
    </p>
    <dl>
      <dt>Stayed here: the secret</dt>
      <dd>a number of 248 bits, never shown</dd>
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
      <dt>What it is bound to</dt>
      <dd>
        <code>{signals[1]}</code>
      </dd>
    </dl>
  </div>
);
