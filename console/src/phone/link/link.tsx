import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Facts, Notice } from '../../ui/layout/surface';
import { Text } from '../../ui/lists/value';
import { idOf } from '../identities/identity';
import style from '../phone.module.css';
import { Screen } from '../screen';
import { SERVICE } from '../service';
import { heldLinks, keepLink, LINKS, type LinkOffer } from './links';

/** Asks before the phone is linked: a link can come from anybody. */
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
  const links = useQuery({ queryKey: LINKS, queryFn: heldLinks });
  const keep = useMutation({
    mutationFn: () => keepLink(offer),
    onSuccess: () => queries.invalidateQueries({ queryKey: LINKS }),
  });
  if (keep.isSuccess)
    return (
      <Screen title="Linked">
        <Notice tone="good">
          This phone can sign desktops in at <Text of={offer.name} />.
        </Notice>
        <div className={style.choices}>
          <Button onClick={onClose}>Done</Button>
          <Button look="primary" onClick={onScan}>
            Scan a code
          </Button>
        </div>
      </Screen>
    );
  return (
    <Screen title="Link this phone?">
      <Facts
        facts={[
          ['Account', <Text key="account" of={offer.name} />],
          ['Number', <code key="number">{offer.tenantId}</code>],
          ['Environment', offer.environment],
          ['Service', SERVICE],
        ]}
      />
      <p>
        The link lets this phone answer desktops of the account with a proof. It can read nothing there, and
        change nothing. Who runs the account can end it at any time.
      </p>
      {links.data?.some(({ id }) => id === idOf(offer)) && (
        <Notice>
          This phone is linked with the account already. The new link takes the old one’s place.
        </Notice>
      )}
      {keep.error && <Failure error={keep.error} />}
      <div className={style.choices}>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" busy={keep.isPending} onClick={() => keep.mutate()}>
          Link
        </Button>
      </div>
    </Screen>
  );
}
