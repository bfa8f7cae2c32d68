import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Facts, Notice } from '../../ui/layout/surface';
import { Text } from '../../ui/lists/value';
import { idOf } from '../identities/identity';
import { Actions, Screen } from '../screen';
import { SERVICE } from '../service';
import { LINKS, type LinkOffer, readLinks, storeLink } from './links';

/** Asks before linking the phone, because a link can come from anybody. */
export function LinkAccount({
  offer,
  onClose,
  onScan,
}: {
  readonly offer: LinkOffer;
  readonly onClose: () => void;
  readonly onScan: () => void;
}) {
  const queries = useQueryClient();
  const links = useQuery({ queryKey: LINKS, queryFn: readLinks });
  const save = useMutation({
    mutationFn: () => storeLink(offer),
    onSuccess: () => queries.invalidateQueries({ queryKey: LINKS }),
  });
  if (save.isSuccess)
    return (
      <Screen title="Linked">
        <Notice tone="good">
          This phone can sign desktops in at <Text of={offer.name} />.
        </Notice>
        <Actions>
          <Button onClick={onClose}>Done</Button>
          <Button look="primary" onClick={onScan}>
            Scan a code
          </Button>
        </Actions>
      </Screen>
    );
  return (
    <Screen title="Link this phone?">
      <Facts
        facts={[
          ['Account', <Text key="account" of={offer.name} />],
          ['Account ID', <code key="id">{offer.tenantId}</code>],
          ['Environment', offer.environment],
          ['Service', SERVICE],
        ]}
      />
      <p>
        The link lets this phone sign in to the account’s desktops with a proof. It can’t read or change
        anything in the account. The account’s administrator can revoke the link at any time.
      </p>
      {links.data?.some(({ id }) => id === idOf(offer)) && (
        <Notice>This phone is already linked with the account. The new link replaces the old one.</Notice>
      )}
      {save.error && <Failure error={save.error} />}
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" busy={save.isPending} onClick={() => save.mutate()}>
          Link
        </Button>
      </Actions>
    </Screen>
  );
}
