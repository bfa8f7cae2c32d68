import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { createContext, useContext, useRef } from 'react';
import { useToast } from '../floating/toasts';

/** What makes a request possible after an error, such as logging in again. It throws the error if nothing does. */
export const Recovery = createContext<(error: unknown) => Promise<void>>((error) => Promise.reject(error));

/** A mutation that is sent again after a recovery, and ignores a second click that arrives before the button renders as busy. */
export function useSending<Output, Input = void>({
  done,
  ...options
}: UseMutationOptions<Output, Error, Input> & {
  /** What a toast says when it has succeeded. */
  readonly done?: string | undefined;
}) {
  const recover = useContext(Recovery);
  const toast = useToast();
  const send = options.mutationFn;
  const mutation = useMutation({
    ...options,
    onSuccess: (...result) => {
      if (done !== undefined) toast(done);
      return options.onSuccess?.(...result);
    },
    ...(send && {
      mutationFn: async (...input: Parameters<typeof send>) => {
        try {
          return await send(...input);
        } catch (error) {
          await recover(error);
          return send(...input);
        }
      },
    }),
  });
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
