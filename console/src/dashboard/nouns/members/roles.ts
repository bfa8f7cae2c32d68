import type { Member } from '@svc/sdk';

export type Role = Member['role'];

/** What something needs, and the roles that are enough for it, as the service has them. `member`: every role. */
const ENOUGH = {
  member: ['auditor', 'reception', 'developer', 'owner'],
  auditor: ['auditor', 'developer', 'owner'],
  reception: ['reception', 'developer', 'owner'],
  developer: ['developer', 'owner'],
  owner: ['owner'],
} as const satisfies Readonly<Record<string, readonly Role[]>>;

export type Need = keyof typeof ENOUGH;

/** Whether a member with the role `held` may do what needs `required`. */
export const hasRole = (held: Role, required: Need): boolean =>
  (ENOUGH[required] as readonly Role[]).includes(held);

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
  reception: { name: 'Reception', about: 'Registers people, locks phones and asks for recoveries.' },
  auditor: { name: 'Auditor', about: 'Sees everything and changes nothing.' },
};

/** A member’s name, or their e-mail until they have given one. */
export const textOfMember = ({ name, email }: Pick<Member, 'name' | 'email'>): string => name ?? email;
