import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

/** An abortable task with stages. It is aborted by `stop` and when its screen unmounts. */
export function useWork<S extends string, T, A = void>(
  work: (watch: { signal: AbortSignal; onStage: (stage: S) => void }, argument: A) => Promise<T>,
) {
  const [stage, setStage] = useState<S>();
  const controller = useRef<AbortController>(undefined);
  const stop = () => controller.current?.abort(new DOMException('The task was aborted.', 'AbortError'));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `stop` reads the current controller when the screen unmounts
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
