import type { Static, TSchema } from 'typebox';
import type { Config } from '../base/config.js';
import type { ErrorCode } from '../base/errors.js';
import type { Scope } from '../ledger/audit-store.js';
import type { Actor, Read, TenantWrite, Write } from '../ledger/write.js';
import type { AuditAction } from '../model/audit-actions.js';
import type { ApiScope } from '../model/scopes.js';
import type { Deps } from './deps.js';
import type { ConsolePrincipal, KeyPrincipal } from './principal.js';

/** What opens a route. */
export type Auth =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly scope: ApiScope }
  | { readonly kind: 'console' }
  | { readonly kind: 'admin' }
  /** Nothing, as `none`; what it reads and writes is within the account of the legacy surface (DECISIONS §6). */
  | { readonly kind: 'legacy' };

export const open = { kind: 'none' } as const;
export const console = { kind: 'console' } as const;
export const admin = { kind: 'admin' } as const;
export const legacy = { kind: 'legacy' } as const;
export const key = <S extends ApiScope>(scope: S) => ({ kind: 'key', scope }) as const;

/** A window per client address; routes that name the same one share it. */
export interface AddressLimit {
  readonly name: string;
  readonly max: number;
  readonly windowSeconds: number;
}

export interface Schemas {
  /** UUIDs in the path, each with the 404 that any other form answers. */
  readonly params?: Readonly<Record<string, ErrorCode>>;
  readonly query?: TSchema;
  readonly body?: TSchema;
}

/** Something on the wire, for the document. */
export interface Described {
  readonly description: string;
  readonly example: string;
}

export interface CookieAttributes {
  readonly path: string;
  readonly maxAgeSeconds: number;
}

/** What every handler gets. */
export interface BaseContext<S extends Schemas = Schemas> {
  readonly deps: Deps;
  readonly requestId: string;
  /** The client's address, an IPv6 one as its /64. */
  readonly address: string;
  readonly params: { readonly [K in keyof S['params']]: string };
  readonly query: S['query'] extends TSchema ? Static<S['query']> : Record<string, never>;
  readonly body: S['body'] extends TSchema ? Static<S['body']> : Record<string, never>;
  /** A request header that must be single; undefined when absent. */
  header(name: string): string | undefined;
  /** The first cookie of that name; undefined when absent. */
  cookie(name: string): string | undefined;
  setHeader(name: string, value: string): void;
  /** HttpOnly, Secure and SameSite=Strict, as every cookie of ours. */
  setCookie(name: string, value: string, attributes: CookieAttributes): void;
  setStatus(status: number): void;
  /** A write in a scope that the caller's credential does not give: signing up, logging in. */
  writeIn<T>(scope: Scope, actor: Actor, action: AuditAction, work: (w: Write) => Promise<T>): Promise<T>;
  /** As `writeIn`, for work that locks the tenant's row. */
  writeIn<T>(
    scope: Scope,
    actor: Actor,
    action: AuditAction,
    work: (w: TenantWrite) => Promise<T>,
    locks: 'tenant',
  ): Promise<T>;
}

/** What a handler behind a tenant's credential gets besides: everything it reads and writes is within one scope. */
export interface ScopedContext {
  readonly scope: Scope;
  readonly read: Read;
  write<T>(action: AuditAction, work: (w: Write) => Promise<T>): Promise<T>;
  /** As `write`, for work that locks the tenant's row. */
  write<T>(action: AuditAction, work: (w: TenantWrite) => Promise<T>, locks: 'tenant'): Promise<T>;
}

export type Context<A extends Auth = Auth, S extends Schemas = Schemas> = BaseContext<S> &
  (A['kind'] extends 'key'
    ? ScopedContext & { readonly principal: KeyPrincipal }
    : A['kind'] extends 'console'
      ? ScopedContext & { readonly principal: ConsolePrincipal }
      : A['kind'] extends 'legacy'
        ? ScopedContext
        : unknown);

/** One endpoint. OpenAPI, the route list, limits and the security sweeps all derive from this. */
export interface Route<A extends Auth = Auth, S extends Schemas = Schemas> {
  /** A verb and its object (`createUser`), unique: the name of the operation in generated clients. */
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** With `:name` for parameters. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly auth: A;
  readonly limit?: AddressLimit;
  readonly schemas?: S;
  /**
   * Success replies by status, each with its schema; a string is the media type of a reply that is not JSON. One of
   * `text/event-stream` is answered with an `EventStream`.
   */
  readonly replies: Readonly<Record<number, TSchema | string>>;
  /** The failures of this route's own rules; those of the pipeline are added where they apply. */
  readonly errors?: readonly ErrorCode[];
  /** Request headers that the handler reads beyond the credential's, with what they are. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Cookies that the handler demands, with what they are. */
  readonly cookies?: Readonly<Record<string, Described>>;
  /** Headers of the success that only this route sets. */
  readonly replyHeaders?: Readonly<Record<string, Described>>;
  /** An example of each reply that is not JSON, by status; of JSON ones the schemas have them. */
  readonly examples?: Readonly<Record<number, string>>;
  /** False: answers without the database, and so also while that is away. */
  readonly database?: false;
  /** A GET that answers HEAD too. */
  readonly head?: true;
  /** The answer holds a secret: `Cache-Control: no-store`. */
  readonly secret?: boolean;
  /** The answer is of this moment, a refusal included: `Cache-Control: no-store`. */
  readonly noStore?: boolean;
  /** Accepts Idempotency-Key; shows the record of a repeated request again. */
  readonly replay?: (context: Context<A, S>, recordId: string) => Promise<unknown>;
  /** Reads an HTML form (`application/x-www-form-urlencoded`) as well as JSON. */
  readonly form?: boolean;
  /** Takes `biometricTemplate`, which every other route refuses, in a body that has room for it (DECISIONS §5). */
  readonly takesTemplate?: boolean;
  /** Refuses, by throwing, what the operator has not enabled: after the credential and its scope, before the body is read. */
  readonly gate?: (deps: Deps) => void;
  /** The path that takes its place; headers and OpenAPI say so. */
  readonly successor?: string;
  /** Where this says no, the server has no such route. */
  readonly when?: (config: Config) => boolean;
  /**
   * Answers the reply's value; a reply that is not JSON may be text, bytes, pieces of text that are sent as they come, or a
   * `StaticText`.
   */
  readonly handler: (context: Context<A, S>) => Promise<unknown>;
}

/** Declares a route with its types inferred; a list of routes forgets them again. */
export function route<const A extends Auth, const S extends Schemas = Record<never, never>>(
  definition: Route<A, S>,
): Route {
  return definition as unknown as Route;
}

/** The status of the route's success: the first of its replies. */
export const successStatus = (of: Route): number => Number(Object.keys(of.replies)[0]);
