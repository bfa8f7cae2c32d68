import { SvcError } from '@svc/sdk';
import type { ProverStage } from '@svc/sdk/phone';
import { PhoneError } from '../language/messages';
import { t } from '../language/strings';
import type { ProverMessage, ResultOf, Work } from './work';

/** Runs one task in its own worker, which is then terminated, so that secrets don't stay in memory. */
export function runInProver<W extends Work>(
  work: W,
  onStage: (stage: ProverStage) => void = () => {},
): Promise<ResultOf<W>> {
  const worker = new Worker(new URL('./prover.worker.ts', import.meta.url), { type: 'module' });
  worker.postMessage(work);
  const done = new Promise<ResultOf<W>>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<ProverMessage>) => {
      if (data.kind === 'stage') onStage(data.stage);
      else if (data.kind === 'failed') reject(errorOf(data));
      else resolve(data.result as ResultOf<W>);
    };
    worker.onerror = () => reject(new PhoneError('no_prover', t.errors.noProver));
  });
  return done.finally(() => worker.terminate());
}

function errorOf({ code, message }: Extract<ProverMessage, { kind: 'failed' }>): Error {
  if (code === 'no_proving_files') return new PhoneError(code, t.errors.noProvingFiles);
  return code === undefined ? new Error(message) : new SvcError(code, message);
}
