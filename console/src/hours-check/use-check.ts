import { useEffect, useRef, useState } from 'react';
import { type Header, headerOf } from './header';
import type { Checked, KeptTree, Progress } from './messages';
import { runCheck } from './run-check';

/** Fetches the file. `from` is the size of the tree that was kept. */
export type OpenFile = (from: string | undefined, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;

/** What a check is compared with. */
export type Kept = 'by the page' | 'in a file' | undefined;

export type CheckState =
  | { readonly is: 'idle' | 'stopped' | 'too large' | 'cut' | 'unexpected' | 'not kept' | 'of another' }
  | { readonly is: 'running'; readonly progress: Progress | undefined }
  | { readonly is: 'failed'; readonly error: unknown }
  | { readonly is: 'done'; readonly checked: Checked; readonly kept: Kept };

/** The newest tree that this page has checked, of each audit log. Another check shows whether what it has was rewritten since. */
const kept = new Map<string, KeptTree>();

/** Checks a file while its page is shown. `log` names the audit log that it is about. */
export function useCheck(log: string, open: OpenFile) {
  const [state, setState] = useState<CheckState>({ is: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = async (file?: Blob) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    const show = (state: CheckState) => {
      if (!signal.aborted) setState(state);
    };
    show({ is: 'running', progress: undefined });
    try {
      const given = file && (await headerOf(file));
      if (file && given === undefined) return show({ is: 'not kept' });
      const head = given?.tree ?? kept.get(log);
      const body = await openSince(open, head, signal);
      const onProgress = (progress: Progress) => show({ is: 'running', progress });
      const outcome = await runCheck(body, { head, signal, onProgress });
      if (typeof outcome === 'string') return show({ is: outcome });
      if (isOfAnother(outcome, given)) return show({ is: 'of another' });
      // Only a tree that extends the one before it takes its place.
      if ('conclusion' in outcome.verdict && outcome.tree && !given) kept.set(log, outcome.tree);
      show({ is: 'done', checked: outcome, kept: given ? 'in a file' : head && 'by the page' });
    } catch (error) {
      show({ is: 'failed', error });
    }
  };
  const stop = () => {
    running.current?.abort();
    setState({ is: 'stopped' });
  };
  return { state, start: (file?: Blob) => void start(file), stop };
}

/** The file that also proves that its tree extends the one that was kept. The service has no such proof if its own log is shorter by now. */
async function openSince(open: OpenFile, head: KeptTree | undefined, signal: AbortSignal) {
  if (head === undefined) return open(undefined, signal);
  try {
    return await open(String('root' in head ? head.size : head.seq), signal);
  } catch (error) {
    signal.throwIfAborted();
    return open(undefined, signal).catch(() => Promise.reject(error));
  }
}

/** A file of another account or environment shows nothing about this one. */
const isOfAnother = ({ log }: Checked, given: Header | undefined): boolean =>
  given !== undefined && log !== undefined && given.log !== log;
