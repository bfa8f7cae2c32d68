import type { PersonSheet } from '@svc/sdk';
import { Link } from 'react-router';
import { Badge } from '../../../ui/layout/surface';
import { useEnvironment } from '../../operations/environment';
import { recordIn } from '../../paths';
import { t } from '../language/strings';
import { Person } from '../parts/person';
import type { OfMonth } from './of-month';
import style from './who.module.css';

/** The name as a link to the person’s month, and how many events they say are wrong. */
export const Who = ({
  person,
  siteId,
  month,
}: Pick<OfMonth, 'siteId' | 'month'> & { readonly person: PersonSheet }) => {
  const environment = useEnvironment();
  const { contested } = person.counts;
  return (
    <span className={style.who}>
      <Link
        to={`${recordIn(environment, 'month', person.userId)}?${new URLSearchParams({ siteId, month }).toString()}`}
      >
        <Person name={person.name} />
      </Link>
      {contested > 0 && <Badge tone="bad">{t.month.contested(contested)}</Badge>}
    </span>
  );
};
