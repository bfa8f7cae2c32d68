import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';

/** A mutation that is sent once though a second press comes before its button could be drawn as busy. */
export function useSending<Output, Input = void>(options: UseMutationOptions<Output, Error, Input>) {
  const mutation = useMutation(options);
  const isUnderWay = useRef(false);
  const mutate: typeof mutation.mutate = (...input) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    const end = () => {
      isUnderWay.current = false;
    };
    mutation.mutateAsync(...input).then(end, end);
  };
  return { ...mutation, mutate };
}
