import type { User } from '@svc/sdk';
import { dateFormat } from '../../ui/dates/date-format';

/** The name that the service gives to people who were registered without one. */
const UNNAMED = 'Unnamed';
const DAY = dateFormat({ day: 'numeric', month: 'long' });

/** What a person is called: the name, or else what is known of them. */
export const knownNameOf = ({
  fullName,
  email,
  externalId,
  createdAt,
}: Pick<User, 'fullName' | 'email' | 'externalId' | 'createdAt'>): string =>
  fullName === UNNAMED ? (email ?? externalId ?? `Person added ${DAY(new Date(createdAt))}`) : fullName;
