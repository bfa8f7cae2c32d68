import { memo } from 'react';
import { Link } from 'react-router';
import { Panel } from '../../ui/layout/panel';
import { Month } from '../nouns/usage/month';
import { useUsage } from '../nouns/usage/use-usage';
import { accountPage } from '../paths';
import style from './home.module.css';

/** The calls of the month, of both environments. */
export const Quota = memo(function Quota() {
  const { data } = useUsage();
  return (
    <Panel
      className={style.quota}
      title="This month"
      aria-label="This month"
      aside={<Link to={accountPage('usage')}>Usage</Link>}
    >
      {data && <Month {...data.currentMonth} />}
    </Panel>
  );
});
