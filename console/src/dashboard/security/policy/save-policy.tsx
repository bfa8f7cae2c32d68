import { isSvcError } from '@svc/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { Cancel, Dialog, DialogActions } from '../../../ui/dialogs/dialog';
import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { useSending } from '../../../ui/forms/use-sending';
import type { PolicyPatch } from '../../nouns/policy/policy';
import type { PolicyChange } from '../../nouns/policy/policy-labels';
import { changePolicy, POLICY } from '../../nouns/policy/use-policy';
import { originErrors } from '../origins';

export function SavePolicy({
  patch,
  version,
  changes,
  onRejected,
  onClose,
}: {
  readonly patch: PolicyPatch;
  /** Of the policy that the changes are based on. */
  readonly version: string;
  readonly changes: readonly PolicyChange[];
  /** An error that a field of the form shows. */
  readonly onRejected: (error: unknown) => void;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const save = useSending({
    mutationFn: () => changePolicy(patch, version),
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
  if (isSvcError(save.error, 'policy_changed')) return <Changed onClose={onClose} />;
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

/** The changes were made to a policy that is not there any more, so the form begins with the new one. */
function Changed({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const reload = useSending({
    mutationFn: () => queries.refetchQueries({ queryKey: POLICY }),
    onSuccess: onClose,
  });
  return (
    <Dialog title="The policy has changed" busy={reload.isPending} onClose={onClose}>
      <p>
        Somebody else saved the policy after you opened this page, so nothing of yours was saved. Look at the
        new policy, and make your changes again.
      </p>
      <DialogActions>
        <Button look="primary" busy={reload.isPending} onClick={() => reload.mutate()}>
          Show the new policy
        </Button>
      </DialogActions>
    </Dialog>
  );
}
