import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

/** A piece of work with stages; it is called off by `stop`, and when its screen goes. */
export function useWork<S extends string, T, A = void>(
  work: (watch: { signal: AbortSignal; onStage: (stage: S) => void }, argument: A) => Promise<T>,
) {
  const [stage, setStage] = useState<S>();
  const controller = useRef<AbortController>(undefined);
  const stop = () => controller.current?.abort(new DOMException('It was called off.', 'AbortError'));
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it calls off is looked up when the screen goes
  useEffect(() => stop, []);
  const mutation = useMutation({
    mutationFn: (argument: A) => {
      controller.current = new AbortController();
      setStage(undefined);
      return work({ signal: controller.current.signal, onStage: setStage }, argument);
    },
  });
  return { ...mutation, stage, stop };
}
