import type { User } from '@svc/sdk';

/** The name that the service gives to people who were registered without one. */
const UNNAMED = 'Unnamed';
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long' });

/** What a person is called: the name, or else what is known of them. */
export const knownNameOf = ({
  fullName,
  email,
  externalId,
  createdAt,
}: Pick<User, 'fullName' | 'email' | 'externalId' | 'createdAt'>): string =>
  fullName === UNNAMED
    ? (email ?? externalId ?? `Person added ${DAY.format(new Date(createdAt))}`)
    : fullName;
