import { ChevronsUpDown } from 'lucide-react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { Menu } from '../../ui/forms/menu';
import { ROLES, textOfMember } from '../nouns/members/roles';
import { useAccount } from '../operations/account';
import style from './account-menu.module.css';
import { useLogOut } from './use-log-out';

/** `Acme Access` is AA. */
const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('');

/** The account and the member that this browser is logged in as, and two ways to log out. */
export function AccountMenu() {
  const { tenant, member } = useAccount().data ?? {};
  const companyName = tenant?.companyName ?? '';
  const logOut = useLogOut();
  return (
    <div className={style.account}>
      <Menu
        label="Account"
        items={[
          { name: 'Log out', onSelect: () => logOut.mutate('browser') },
          { name: 'Log out everywhere', onSelect: () => logOut.mutate('everywhere') },
        ]}
      >
        <Button className={style.trigger} look="quiet" busy={logOut.isPending}>
          {!logOut.isPending && (
            <span className={style.avatar} aria-hidden="true">
              {initialsOf(companyName)}
            </span>
          )}
          <span className="visually-hidden">Account </span>
          <span className={style.who}>
            <strong title={companyName}>
              <bdi>{companyName}</bdi>
            </strong>
            {member && (
              <span className={style.member}>
                <bdi title={member.email}>{textOfMember(member)}</bdi>
                <span>{ROLES[member.role].name}</span>
              </span>
            )}
          </span>
          <ChevronsUpDown size={16} aria-hidden="true" />
        </Button>
      </Menu>
      {logOut.error && <Failure error={logOut.error} />}
    </div>
  );
}
