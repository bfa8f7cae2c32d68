import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { Confirm } from '../../ui/dialogs/confirm';
import { useEnvironment } from '../operations/environment';
import type { Input, OperationName } from '../operations/operation';
import { useSend } from '../operations/send';
import { type EnvironmentPage, pageIn } from '../paths';

/** A text, or one that depends on what is confirmed. */
type Of<P, T> = T | ((props: P) => T);

const of = <P, T>(text: Of<P, T>, props: P): T =>
  typeof text === 'function' ? (text as (props: P) => T)(props) : text;

/** A dialog that asks before it sends something: a component. */
export const confirmOf =
  <O extends OperationName, P>({
    operation,
    input,
    title,
    action,
    look,
    done,
    text,
    list,
    waits = false,
    onSuccess,
  }: {
    readonly operation: O;
    readonly input: (props: P) => Input<O>;
    readonly title: Of<P, ReactNode>;
    /** The name of the button. */
    readonly action: Of<P, string>;
    readonly look?: 'danger' | 'primary';
    /** What a toast says when it has succeeded. */
    readonly done: Of<P, string>;
    /** What it means. */
    readonly text: Of<P, ReactNode>;
    /** What is shown then, if the record has a page of its own, which would find nothing. */
    readonly list?: EnvironmentPage;
    /** Closes when the page shows the change, because the element that opened it is gone then. */
    readonly waits?: boolean;
    readonly onSuccess?: (props: P) => unknown;
  }) =>
  (props: P & { readonly onClose: () => void }) => {
    const environment = useEnvironment();
    const navigate = useNavigate();
    const { isPending, error, mutate } = useSend(operation, {
      done: of(done, props),
      onSuccess: async () => {
        onSuccess?.(props);
        if (list) await navigate(pageIn(environment, list));
        if (!waits) props.onClose();
      },
      onReloaded: waits ? props.onClose : undefined,
    });
    return (
      <Confirm
        title={of(title, props)}
        action={of(action, props)}
        look={look}
        busy={isPending}
        error={error}
        onConfirm={() => mutate(input(props))}
        onClose={props.onClose}
      >
        {of(text, props)}
      </Confirm>
    );
  };
