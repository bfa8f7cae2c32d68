/** What a member of an account may do, from the least: `auditor` reads, `developer` also changes records, `owner` does everything. */
export const ROLES = ['auditor', 'developer', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Whether a member with the role `held` may do what needs `required`. */
export const hasRole = (held: Role, required: Role): boolean =>
  ROLES.indexOf(held) >= ROLES.indexOf(required);
