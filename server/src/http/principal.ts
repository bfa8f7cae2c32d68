import type { Query } from '../db/sql.js';
import type { Environment } from '../model/environment.js';
import type { Plan } from '../model/plans.js';
import type { Role } from '../model/roles.js';
import type { ApiScope } from '../model/scopes.js';
import type { SecurityPolicy } from '../model/security-policy.js';

/** `closing`: its owner closed it, and can still reopen it. `closed`: its records are deleted. */
export type TenantStatus = 'active' | 'suspended' | 'deactivated' | 'closing' | 'closed';

/** The account of a credential, as of this request. */
export interface Tenant {
  readonly id: string;
  readonly email: string;
  readonly companyName: string;
  readonly plan: Plan;
  readonly status: TenantStatus;
  readonly securityPolicy: SecurityPolicy;
  readonly createdAt: Date;
  /** When the records of an account that is closing are deleted. */
  readonly closesAt: Date | null;
}

/** A credential that can be checked again when it is used. */
interface Revalidatable {
  /**
   * A query that returns a row while the credential is valid. A slow body may end long after the first check. `whileClosing`: it is
   * also valid while the account is closing.
   */
  revalidate(now: number, whileClosing?: boolean): Query;
}

export interface KeyPrincipal extends Revalidatable {
  readonly keyId: string;
  readonly keyName: string;
  readonly environment: Environment;
  readonly scopes: readonly ApiScope[];
  /** The caller's address is in one of the networks that the key is limited to, if it is limited. */
  readonly isAllowedHere: boolean;
  readonly tenant: Tenant;
}

/** The Authorization header with the session of a device. The rest is a JWT. */
export const DEVICE_TOKEN = /^Bearer +svc_device_(\S*)$/i;

/** A device that opened a session with its own key. */
export interface DevicePrincipal extends Revalidatable {
  readonly device: { readonly id: string };
  readonly environment: Environment;
  readonly tenant: Tenant;
}

/** Somebody who works with the account. */
export interface Member {
  /** The first owner has the id of the account. */
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  /** False for who only logs in with passkeys. */
  readonly hasPassword: boolean;
  /** Works with hours: sheets, corrections, closing, export. */
  readonly hours: boolean;
  /** Reads sheets, for the people they represent. */
  readonly representative: boolean;
  /** The sites that these rights are for. Null: all. */
  readonly siteIds: readonly string[] | null;
}

/** A member who acts at a desk for some minutes: what reception may do, and no more than their role. */
export interface StaffPrincipal extends Revalidatable {
  /** Of the member at this desk. */
  readonly sessionId: string;
  /** The device. Not `device`, because it is not the one that acts. */
  readonly desk: { readonly id: string };
  readonly member: Member;
  readonly environment: Environment;
  readonly tenant: Tenant;
}

/** A console token is either that of a browser's cookie or that of a program. */
export type TokenUse = 'cookie' | 'bearer';

/** A member who is logged in to the console. */
export interface ConsolePrincipal extends Revalidatable {
  readonly tenant: Tenant;
  readonly member: Member;
  readonly login: {
    /** Undefined for a token of the version before. */
    readonly id: string | undefined;
    /** When the member last confirmed who they are. Unix milliseconds. */
    readonly confirmedAt: number | undefined;
  };
  /** What the token was issued for, and so how it was sent. Undefined: a Bearer token of the version before, which may be that of a cookie. */
  readonly use: TokenUse | undefined;
  /** Of the first owner's tokens, which nodes of the version before check. */
  readonly tokenVersion: number;
}

/** The member who sent a request, or null: API keys send requests too. */
export const memberIdOf = (principal: object): string | null =>
  'member' in principal ? (principal as ConsolePrincipal).member.id : null;

/** The device that sent a request with its session, or null. */
export const deviceIdOf = (principal: object): string | null =>
  'device' in principal ? (principal as DevicePrincipal).device.id : null;

/** The device that a request comes from: the one that acts, or the desk at which a member does. Null: none. */
export const openerIdOf = (principal: object): string | null =>
  'desk' in principal ? (principal as StaffPrincipal).desk.id : deviceIdOf(principal);

/** The caller of a legacy endpoint. One account is shared by all of them. */
export interface LegacyPrincipal extends Revalidatable {
  readonly tenant: Tenant;
}

/** The parts of a request that a credential check may read: only headers. */
export interface Credentials {
  /** The value of a header. Undefined if absent, an array if sent more than once with different values. */
  header(name: string): string | readonly string[] | undefined;
  /** The first cookie with that name; undefined if absent. */
  cookie(name: string): string | undefined;
  /**
   * The browser confirms that a page of this origin sent the request: `Sec-Fetch-Site` is `same-origin` and, unless it only reads,
   * `Origin` is our own. No script can set these headers.
   */
  readonly isFromOwnPage: boolean;
  /** The client's whole address. */
  readonly ip: string;
  /** For IPv6, its /64. */
  readonly address: string;
}

/** One check for each kind of credential. Each belongs to its feature and fails with its own error. */
export interface Authenticators {
  key(credentials: Credentials): Promise<KeyPrincipal>;
  device(credentials: Credentials): Promise<DevicePrincipal>;
  staff(credentials: Credentials): Promise<StaffPrincipal>;
  console(credentials: Credentials): Promise<ConsolePrincipal>;
  admin(credentials: Credentials): Promise<void>;
  legacy(): Promise<LegacyPrincipal>;
}
