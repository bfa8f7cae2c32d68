import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

/** A piece of work with stages; it is called off when its screen goes. */
export function useWork<S extends string, T, A = void>(
  work: (watch: { signal: AbortSignal; onStage: (stage: S) => void }, argument: A) => Promise<T>,
) {
  const [stage, setStage] = useState<S>();
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(new DOMException('The screen was left.', 'AbortError')), []);
  const mutation = useMutation({
    mutationFn: (argument: A) => {
      stop.current = new AbortController();
      setStage(undefined);
      return work({ signal: stop.current.signal, onStage: setStage }, argument);
    },
  });
  return { ...mutation, stage };
}
