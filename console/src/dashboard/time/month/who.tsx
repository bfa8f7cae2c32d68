import type { PersonSheet } from '@svc/sdk';
import { Link } from 'react-router';
import { Badge } from '../../../ui/layout/surface';
import { PersonName } from '../../nouns/person/person-name';
import { useEnvironment } from '../../operations/environment';
import { recordIn } from '../../paths';
import type { OfMonth } from './of-month';
import style from './who.module.css';

/** The name as a link to the person’s month, and how many events they say are wrong. */
export const Who = ({
  person,
  siteId,
  month,
}: Omit<OfMonth, 'sheets'> & { readonly person: PersonSheet }) => {
  const environment = useEnvironment();
  const { contested } = person.counts;
  return (
    <span className={style.who}>
      <Link
        to={`${recordIn(environment, 'month', person.userId)}?${new URLSearchParams({ siteId, month }).toString()}`}
      >
        <PersonName of={person.name} />
      </Link>
      {contested > 0 && <Badge tone="bad">{contested} contested</Badge>}
    </span>
  );
};
