import { Confirm } from '../../ui/dialogs/confirm';
import { useSending } from '../../ui/forms/use-sending';
import { Text } from '../../ui/lists/value';
import { type ListedRegistration, REGISTRATIONS, svc } from '../api';
import { useEnvironment } from '../environment';
import { useReload } from '../records/use-reload';
import { nameOf } from './ceremony';

export function Abandon({
  session,
  onClose,
}: {
  readonly session: ListedRegistration;
  readonly onClose: () => void;
}) {
  const environment = useEnvironment();
  const reload = useReload(REGISTRATIONS[0]);
  const abandon = useSending({
    mutationFn: () =>
      svc.request('cancelRegistration', {
        path: { id: session.id },
        query: { environment },
      }),
    done: 'Registration abandoned',
    onSuccess: async () => {
      await reload();
      onClose();
    },
  });
  return (
    <Confirm
      title={
        <>
          Abandon the registration of <Text of={nameOf(session)} />?
        </>
      }
      action="Abandon it"
      busy={abandon.isPending}
      error={abandon.error}
      onConfirm={() => abandon.mutate()}
      onClose={onClose}
    >
      Its code stops working immediately, and a phone that was already paired is revoked. This can’t be
      undone, but you can start a new registration at any time.
    </Confirm>
  );
}
