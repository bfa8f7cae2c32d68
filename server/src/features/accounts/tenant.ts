import type { Tenant } from '../../http/principal.js';
import type { Plan } from '../../model/plans.js';
import type { SecurityPolicy } from '../../model/security-policy.js';

/** What follows the id in the e-mail of a closed account. Nobody can sign up with such an e-mail. */
export const CLOSED_EMAIL = '@closed.invalid';

/** How long an account that was closed can be reopened. */
export const CLOSING_MS = 30 * 24 * 60 * 60_000;

export interface TenantRow {
  id: string;
  email: string;
  company_name: string;
  password_hash: string;
  plan: Plan;
  status: Tenant['status'];
  token_version: number;
  security_policy: SecurityPolicy;
  created_at: Date;
  closes_at: Date | null;
}

export const toTenant = (row: Omit<TenantRow, 'password_hash' | 'token_version'>): Tenant => ({
  id: row.id,
  email: row.email,
  companyName: row.company_name,
  plan: row.plan,
  status: row.status,
  securityPolicy: row.security_policy,
  createdAt: row.created_at,
  closesAt: row.closes_at,
});
