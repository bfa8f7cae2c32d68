import type { Checked, FromWorker, KeptTree, Progress, ToWorker } from './messages';

export type Outcome = Checked | 'too large' | 'cut' | 'unexpected';

/**
 * Checks a file while it is downloaded. Holds one piece of it at a time.
 * @throws what the signal was aborted with
 */
export async function runCheck(
  body: ReadableStream<Uint8Array>,
  {
    head,
    signal,
    onProgress,
  }: {
    readonly head: KeptTree | undefined;
    readonly signal: AbortSignal;
    readonly onProgress: (progress: Progress) => void;
  },
): Promise<Outcome> {
  const worker = new Worker(new URL('./check.worker.ts', import.meta.url), { type: 'module' });
  const reader = body.getReader();
  const send = (message: ToWorker) => worker.postMessage(message);
  let progress: Progress = { bytes: 0, entries: { read: 0, of: 0 } };
  const note = (more: Partial<Progress>) => {
    progress = { ...progress, ...more };
    onProgress(progress);
  };
  try {
    return await new Promise<Outcome>((resolve, reject) => {
      const sendPiece = async () => {
        try {
          const { value } = await reader.read();
          if (value) note({ bytes: progress.bytes + value.length });
          send({ piece: value });
        } catch {
          resolve('cut');
        }
      };
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      signal.throwIfAborted();
      worker.onerror = () => resolve('unexpected');
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        if ('wants' in data) void sendPiece();
        else if ('entries' in data) note({ entries: data.entries });
        else if ('failed' in data) resolve(data.failed);
        else resolve(isCut(data.checked) ? 'cut' : data.checked);
      };
      send({ head });
    });
  } finally {
    worker.terminate();
    await reader.cancel().catch(() => undefined);
  }
}

const isCut = ({ verdict }: Checked): boolean => 'code' in verdict && verdict.code === 'incomplete';
