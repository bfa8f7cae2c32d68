import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { Confirm } from '../../ui/dialogs/confirm';
import { useSending } from '../../ui/forms/use-sending';
import { useEnvironment } from '../environment';
import { type EnvironmentPage, pageIn } from '../paths';

/** Deletes a record that has a page of its own, and shows its list. */
export function DeleteRecord({
  noun,
  page,
  remove,
  reload,
  onClose,
  children,
}: {
  /** What the record is, for example webhook. */
  readonly noun: string;
  /** Its list. */
  readonly page: EnvironmentPage;
  readonly remove: () => Promise<unknown>;
  readonly reload: () => Promise<unknown>;
  readonly onClose: () => void;
  /** What that means. */
  readonly children: ReactNode;
}) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const removal = useSending({
    mutationFn: remove,
    done: `${noun.charAt(0).toUpperCase()}${noun.slice(1)} deleted`,
    onSuccess: async () => {
      // Before the reload, because the record’s own page would find nothing.
      await navigate(pageIn(environment, page));
      await reload();
    },
  });
  return (
    <Confirm
      title={`Delete the ${noun}?`}
      action={`Delete the ${noun}`}
      busy={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    >
      {children}
    </Confirm>
  );
}
