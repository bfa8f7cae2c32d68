/** What a member of an account may do, from the least: `auditor` reads, `developer` also changes records, `owner` does everything. */
export const ROLES = ['auditor', 'developer', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export const isRole = (value: unknown): value is Role => (ROLES as readonly unknown[]).includes(value);

/** Whether a member with the role `held` may do what needs `required`. */
export const hasRole = (held: Role, required: Role): boolean =>
  ROLES.indexOf(held) >= ROLES.indexOf(required);
