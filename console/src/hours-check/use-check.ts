import { useEffect, useRef, useState } from 'react';
import type { Checked, KeptTree, Progress } from './messages';
import { runCheck } from './run-check';

/** Fetches the file. `from` is the size of the tree that was kept. */
export type OpenFile = (from: string | undefined, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;

export type CheckState =
  | { readonly is: 'idle' | 'stopped' | 'too large' | 'cut' | 'unexpected' }
  | { readonly is: 'running'; readonly progress: Progress | undefined }
  | { readonly is: 'failed'; readonly error: unknown }
  | { readonly is: 'done'; readonly checked: Checked; readonly wasKept: boolean };

/** The newest tree that this page has checked, of each audit log. Another check shows whether what it has was rewritten since. */
const kept = new Map<string, KeptTree>();

/** Checks a file while its page is shown. `log` names the audit log that it is about. */
export function useCheck(log: string, open: OpenFile) {
  const [state, setState] = useState<CheckState>({ is: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = async () => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    const show = (state: CheckState) => {
      if (!signal.aborted) setState(state);
    };
    show({ is: 'running', progress: undefined });
    const head = kept.get(log);
    try {
      const body = await open(head && String('root' in head ? head.size : head.seq), signal);
      const onProgress = (progress: Progress) => show({ is: 'running', progress });
      const outcome = await runCheck(body, { head, signal, onProgress });
      if (typeof outcome === 'string') return show({ is: outcome });
      // Only a tree that extends the one before it takes its place.
      if ('conclusion' in outcome.verdict && outcome.tree) kept.set(log, outcome.tree);
      show({ is: 'done', checked: outcome, wasKept: head !== undefined });
    } catch (error) {
      show({ is: 'failed', error });
    }
  };
  const stop = () => {
    running.current?.abort();
    setState({ is: 'stopped' });
  };
  return { state, start: () => void start(), stop };
}
