import type { Results, Stage, Told, Work } from './work';

/** One piece of work in a worker of its own. It ends with it, and all that it knew with it. */
export function inProver<W extends Work>(
  work: W,
  onStage: (stage: Stage) => void = () => {},
): Promise<Results[W['kind']]> {
  const worker = new Worker(new URL('./prover.worker.ts', import.meta.url), { type: 'module' });
  const done = new Promise<Results[W['kind']]>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Told>) => {
      if (data.kind === 'stage') onStage(data.stage);
      else if (data.kind === 'failed') reject(new Error(data.message));
      else resolve(data.result as Results[W['kind']]);
    };
    worker.onerror = () =>
      reject(new Error('The prover did not start. Go online once and reload the page, then try again.'));
  });
  worker.postMessage(work);
  return done.finally(() => worker.terminate());
}
