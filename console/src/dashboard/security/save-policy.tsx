import { useQueryClient } from '@tanstack/react-query';
import { Cancel, Dialog, DialogActions } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { useSending } from '../../ui/forms/use-sending';
import { svc } from '../api';
import { originErrors } from './origins';
import { type Choices, POLICY, policyOf } from './policy';
import type { PolicyChange } from './policy-labels';

export function SavePolicy({
  choices,
  changes,
  onRejected,
  onClose,
}: {
  readonly choices: Choices;
  readonly changes: readonly PolicyChange[];
  /** An error that a field of the form shows. */
  readonly onRejected: (error: unknown) => void;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const save = useSending({
    mutationFn: () => svc.console.replaceSecurityPolicy(policyOf(choices)),
    done: 'Policy saved. It applies to all new requests.',
    onSuccess: (policy) => {
      queries.setQueryData(POLICY, policy);
      onClose();
    },
    onError: (error) => {
      if (originErrors(error).size === 0) return;
      onRejected(error);
      onClose();
    },
  });
  return (
    <Dialog title="Change the policy?" busy={save.isPending} onClose={onClose}>
      <p>The policy applies to all new requests in both environments.</p>
      <ul>
        {changes.map(({ name, before, after }) => (
          <li key={name}>
            {name}: <s>{before}</s> <strong>{after}</strong>
          </li>
        ))}
      </ul>
      {save.error && <Failure error={save.error} />}
      <DialogActions>
        <Cancel />
        <Button look="primary" busy={save.isPending} onClick={() => save.mutate()}>
          Save changes
        </Button>
      </DialogActions>
    </Dialog>
  );
}
