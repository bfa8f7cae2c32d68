import type { Tenant } from '../../http/principal.js';
import type { Plan } from '../../model/plans.js';
import type { SecurityPolicy } from '../../model/security-policy.js';

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
}

export const toTenant = (row: Omit<TenantRow, 'password_hash' | 'token_version'>): Tenant => ({
  id: row.id,
  email: row.email,
  companyName: row.company_name,
  plan: row.plan,
  status: row.status,
  securityPolicy: row.security_policy,
  createdAt: row.created_at,
});
