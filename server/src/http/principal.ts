import type { Query } from '../db/sql.js';
import type { Environment } from '../model/environment.js';
import type { Plan } from '../model/plans.js';
import type { ApiScope } from '../model/scopes.js';
import type { SecurityPolicy } from '../model/security-policy.js';

export type TenantStatus = 'active' | 'suspended' | 'deactivated';

/** The account behind a credential, as it stands at this request. */
export interface Tenant {
  readonly id: string;
  readonly email: string;
  readonly companyName: string;
  readonly plan: Plan;
  readonly status: TenantStatus;
  readonly securityPolicy: SecurityPolicy;
  readonly createdAt: Date;
}

/** A credential that can be checked again when it is used. */
interface Revalidatable {
  /** A query that returns a row while the credential is valid. A slow body may arrive long after the first check. */
  revalidate(now: number): Query;
}

export interface KeyPrincipal extends Revalidatable {
  readonly keyId: string;
  readonly environment: Environment;
  readonly scopes: readonly ApiScope[];
  readonly tenant: Tenant;
}

export interface ConsolePrincipal extends Revalidatable {
  readonly tokenVersion: number;
  readonly tenant: Tenant;
}

/** Whoever calls the legacy surface: one account stands for them all. */
export interface LegacyPrincipal extends Revalidatable {
  readonly tenant: Tenant;
}

/** What a credential check sees of a request: its headers, no more. */
export interface Credentials {
  /** The header's value; undefined when absent, an array when sent more than once with different values. */
  header(name: string): string | readonly string[] | undefined;
  /** The first cookie of that name; undefined when absent. */
  cookie(name: string): string | undefined;
  readonly address: string;
}

/** Who calls, by the route's kind of credential; each check is owned by its feature and fails with its own error. */
export interface Authenticators {
  key(credentials: Credentials): Promise<KeyPrincipal>;
  console(credentials: Credentials): Promise<ConsolePrincipal>;
  admin(credentials: Credentials): Promise<void>;
  legacy(): Promise<LegacyPrincipal>;
}
