import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Confirm } from '../../ui/dialogs/confirm';
import { AccountAndEnvironment } from '../company/company';
import { APPROVALS } from '../history/approvals';
import { IDENTITIES, type Identity } from '../identities/identity';
import { t } from '../language/strings';
import type { SendStage } from '../prover/prove-to-send';
import { useWork } from '../use-work';
import { type PhoneOf, removePhone } from './phones';

/** Revokes a phone, after the person has confirmed it and unlocked this one. */
export function RemovePhone({
  identity,
  phone,
  name,
  onRemoved,
  onClose,
}: {
  readonly identity: Identity;
  readonly phone: PhoneOf;
  /** Undefined for this phone, and for one without a name. */
  readonly name: ReactNode | undefined;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const work = useWork<SendStage, void>(async (watch) => {
    await removePhone(identity, phone.did, watch);
    onClose();
    onRemoved();
    for (const queryKey of [IDENTITIES, APPROVALS]) await queries.invalidateQueries({ queryKey });
  });
  const account = <AccountAndEnvironment account={identity} />;
  return (
    <Confirm
      title={name === undefined ? t.phones.remove.title : t.phones.remove.titleNamed(name)}
      action={t.phones.remove.action}
      busy={work.isPending}
      error={work.error}
      onConfirm={() => work.mutate()}
      onClose={onClose}
    >
      {phone.isThis ? t.phones.remove.own(account) : t.phones.remove.text(account)}
    </Confirm>
  );
}
