import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';

/** A mutation that ignores a second click that arrives before the button renders as busy. */
export function useSending<Output, Input = void>(options: UseMutationOptions<Output, Error, Input>) {
  const mutation = useMutation(options);
  const isSending = useRef(false);
  const mutate: typeof mutation.mutate = (...input) => {
    if (isSending.current) return;
    isSending.current = true;
    const end = () => {
      isSending.current = false;
    };
    mutation.mutateAsync(...input).then(end, end);
  };
  return { ...mutation, mutate };
}
