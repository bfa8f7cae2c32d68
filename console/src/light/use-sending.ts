import { useRef, useState } from 'react';

type State<Input> =
  | { readonly status: 'idle' }
  | { readonly status: 'pending' | 'success' | 'error'; readonly variables: Input; readonly error?: unknown };

/** `useSending` of the dashboard without its library: sends a request, shows how it went, and ignores a second click. */
export function useSending<Output, Input = void>({
  mutationFn,
  onSuccess,
}: {
  readonly mutationFn: (input: Input) => Promise<Output>;
  /** The request counts as pending until this has ended too. */
  readonly onSuccess?: (output: Output) => Promise<void> | void;
}) {
  const [state, setState] = useState<State<Input>>({ status: 'idle' });
  const isSending = useRef(false);
  const send = async (input: Input) => {
    isSending.current = true;
    setState({ status: 'pending', variables: input });
    try {
      const output = await mutationFn(input);
      await onSuccess?.(output);
      setState({ status: 'success', variables: input });
    } catch (error) {
      setState({ status: 'error', variables: input, error });
    }
    isSending.current = false;
  };
  return {
    mutate: (input: Input) => void (isSending.current || send(input)),
    isPending: state.status === 'pending',
    /** What was sent, once the service has accepted it. */
    accepted: state.status === 'success' ? state.variables : undefined,
    error: state.status === 'error' ? state.error : undefined,
  };
}
