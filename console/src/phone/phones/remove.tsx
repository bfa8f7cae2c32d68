import { type Phones, revoke, type Stage } from '@svc/sdk/phone';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Confirm } from '../../ui/dialogs/confirm';
import { t } from '../language/strings';
import { AccountAndEnvironment } from '../parts/company/company';
import { useWork } from '../parts/use-work';
import { phoneWith } from '../ports/ports';
import { HISTORY } from '../vault/history';
import { IDENTITIES, type Identity } from '../vault/identities';

export type PhoneOf = Phones['identities'][number];

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
  const work = useWork<Stage, void>(async (watch) => {
    await revoke(phoneWith(), identity.id, phone.did, watch);
    onClose();
    onRemoved();
    for (const queryKey of [IDENTITIES, HISTORY]) await queries.invalidateQueries({ queryKey });
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
