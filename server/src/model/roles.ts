/**
 * What a member of an account may do. `auditor` reads, `developer` also changes records, `owner` does everything. `reception` works with
 * the people who come to a desk: not a step between the others, so `ENOUGH` says what each role is enough for.
 */
export const ROLES = ['auditor', 'reception', 'developer', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** The roles that are enough for each thing that a route or an act can need. `member`: what every member may do. */
const ENOUGH = {
  member: ROLES,
  auditor: ['auditor', 'developer', 'owner'],
  reception: ['reception', 'developer', 'owner'],
  developer: ['developer', 'owner'],
  owner: ['owner'],
} as const satisfies Readonly<Record<string, readonly Role[]>>;

/** What a route or an act needs of a member. */
export type Need = keyof typeof ENOUGH;
export const NEEDS = Object.keys(ENOUGH) as readonly Need[];

export const isRole = (value: unknown): value is Role => (ROLES as readonly unknown[]).includes(value);

/** Whether a member with the role `held` may do what needs `required`. */
export const hasRole = (held: Role, required: Need): boolean =>
  (ENOUGH[required] as readonly Role[]).includes(held);

/** Reception works with real people, and what it is not for is closed to it: also the environment `test`. */
export const mayUseTest = (held: Role): boolean => held !== 'reception';
