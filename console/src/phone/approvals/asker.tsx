import { Badge } from '../../ui/layout/surface';
import { t } from '../language/strings';
import { type Account, AccountName, ServiceHost, Tile } from '../parts/company/company';
import style from './asker.module.css';

/** Who asks, in one line: what is asked has to fit on the screen with it. */
export const Asker = ({ account }: { readonly account: Account }) => (
  <div className={style.asker}>
    <Tile account={account} place="list" />
    <div>
      <strong>
        <AccountName account={account} />
      </strong>
      <ServiceHost />
    </div>
    {account.environment === 'test' && <Badge tone="warn">{t.test}</Badge>}
  </div>
);
