import { Page } from '../../ui/layout/surface';
import { Passkeys } from '../passkeys/passkeys';
import { ChangePassword } from './change-password';
import { LogIns } from './log-ins';
import { MemberLink } from './member-link';
import style from './your-security.module.css';

/** How the reader logs in, and where. */
export const YourSecurity = () => (
  <Page title="My log-in" about="How you log in to this account, and where.">
    <div className={style.parts}>
      <Passkeys />
      <ChangePassword />
      <LogIns />
      <MemberLink />
    </div>
  </Page>
);
