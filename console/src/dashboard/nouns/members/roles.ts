import type { Member } from '@svc/sdk';

export type Role = Member['role'];

/** From the least, as the service orders them. */
const ORDER: readonly Role[] = ['auditor', 'developer', 'owner'];

/** Whether a member with the role `held` may do what needs `required`. */
export const hasRole = (held: Role, required: Role): boolean =>
  ORDER.indexOf(held) >= ORDER.indexOf(required);

/** What each role is called, and what it may do. */
export const ROLES: Readonly<Record<Role, { readonly name: string; readonly about: string }>> = {
  owner: {
    name: 'Owner',
    about:
      'Everything, also the team, the verification requirements, erasing people and closing the account.',
  },
  developer: {
    name: 'Developer',
    about: 'Sees everything, and changes people, devices, API keys, webhooks and applications.',
  },
  auditor: { name: 'Auditor', about: 'Sees everything and changes nothing.' },
};

/** A member’s name, or their e-mail until they have given one. */
export const textOfMember = ({ name, email }: Pick<Member, 'name' | 'email'>): string => name ?? email;
