/** What a member of an account may do, from the least: `auditor` reads, `developer` also changes records, `owner` does everything. */
export const ROLES = ['auditor', 'developer', 'owner'] as const;
export type Role = (typeof ROLES)[number];
