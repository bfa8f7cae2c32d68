import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Static, TSchema } from 'typebox';
import type { Config } from '../base/config/config.js';
import type { Scope } from '../ledger/audit-store.js';
import type { Actor, Read, TenantWrite, Write } from '../ledger/write.js';
import type { Act } from '../model/acts.js';
import type { AuditAction } from '../model/audit-actions.js';
import { ERRORS, type ErrorCode } from '../model/errors.js';
import type { Need } from '../model/roles.js';
import type { ApiScope } from '../model/scopes.js';
import { byPhone, forPhone, forSession, strictObject } from '../records/schema.js';
import type { Deps } from './deps.js';
import type { ConsolePrincipal, DevicePrincipal, KeyPrincipal, StaffPrincipal } from './principal.js';

/**
 * The members who may use a route of the dashboard, or a keyed route with a session of the dashboard. A keyed route without it accepts
 * no session [console/one-surface]. What the route does may need more: see `acts`.
 */
export interface ConsoleAccess {
  readonly role: Need;
  /** A right that the member needs as well. `sheets`: `hours` or `representative`. `inspections`: `hours`, or the role of an owner. */
  readonly right?: 'hours' | 'sheets' | 'inspections';
}

/**
 * A guarded act that a route can cause. Just its name: each request causes it. `if`: those with such a body do. `by: 'record'`: it depends
 * on the record, and the rule calls `requireAct` before it changes anything. `by: 'proof'`: what a phone or a device proves is the
 * authority, and no role or scope is asked for.
 */
export type CausedAct<Body = unknown> =
  | Act
  | { readonly act: Act; if(body: Body): boolean }
  | { readonly act: Act; readonly by: 'record' | 'proof' };

/** What a keyed route accepts besides an API key. */
export interface KeyOptions {
  /** Another scope that the key needs. */
  readonly also?: ApiScope;
  readonly console?: ConsoleAccess;
  /** The session of a device. The handler limits it to what that device opened. */
  readonly device?: true;
  /**
   * A phone without a key, whose proof is the credential. Its body names the account, which is optional with a key. The route's `limit`
   * is for such phones alone [phones/adding-without-a-key].
   */
  readonly phone?: true;
}

/** The credential that a route requires. */
export type Auth =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'key'; readonly scope: ApiScope } & KeyOptions)
  | { readonly kind: 'console'; readonly access: ConsoleAccess }
  /** The session of a device, and nothing else. */
  | { readonly kind: 'device' }
  /** A member at a desk, with the session of its device. */
  | { readonly kind: 'staff' }
  | { readonly kind: 'admin' }
  /** None, as with `none`, but the route reads and writes in the account of the legacy surface [sessions/legacy-account]. */
  | { readonly kind: 'legacy' };

export const open = { kind: 'none' } as const;
export const console = (access: ConsoleAccess) => ({ kind: 'console', access }) as const;
export const deviceSession = { kind: 'device' } as const;
export const staff = { kind: 'staff' } as const;
export const admin = { kind: 'admin' } as const;
export const legacy = { kind: 'legacy' } as const;
export const key = <S extends ApiScope, const O extends KeyOptions = object>(scope: S, options?: O) =>
  ({ kind: 'key', scope, ...options }) as { readonly kind: 'key'; readonly scope: S } & O;

/** The scopes that a key needs, all of them. None for a route without keys. */
export const scopesOf = ({ auth }: Pick<Route, 'auth'>): ApiScope[] =>
  auth.kind === 'key' ? [auth.scope, ...(auth.also ? [auth.also] : [])] : [];

/** The members who may use the route. Undefined for a route without members. */
export const accessOf = ({ auth }: Pick<Route, 'auth'>): ConsoleAccess | undefined =>
  auth.kind === 'console' ? auth.access : auth.kind === 'key' ? auth.console : undefined;

/** A route that also accepts a session of the dashboard. */
export const takesSession = ({ auth }: Pick<Route, 'auth'>): boolean =>
  auth.kind === 'key' && auth.console !== undefined;

/** A member names the environment in its query. */
export const takesEnvironment = (of: Pick<Route, 'auth' | 'schemas'>): boolean =>
  takesSession(of) ||
  (of.auth.kind === 'console' &&
    'environment' in ((of.schemas?.query ?? NO_QUERY) as unknown as typeof NO_QUERY).properties);

/** A route that also accepts the session of a device. */
export const takesDevice = ({ auth }: Pick<Route, 'auth'>): boolean =>
  auth.kind === 'key' && auth.device === true;

/** A route that a phone may call without a key. */
export const takesPhone = ({ auth }: Pick<Route, 'auth'>): boolean =>
  auth.kind === 'key' && auth.phone === true;

/** Whose calls count in the plan of an account, and tell it in their headers. */
export const isMetered = ({ auth }: Pick<Route, 'auth'>): boolean =>
  ['key', 'device', 'staff'].includes(auth.kind);

/** Whether no response of the route may be stored: it needs a credential, has a secret, or is only valid at this moment. */
export const neverStored = ({ auth, secret, noStore }: Pick<Route, 'auth' | 'secret' | 'noStore'>): boolean =>
  ['key', 'console', 'device', 'staff', 'admin'].includes(auth.kind) || secret === true || noStore === true;

/** A rate limit by client address. Routes with the same name share it. */
export interface AddressLimit {
  readonly name: string;
  readonly max: number;
  readonly windowSeconds: number;
  /** Also a limit for an address and one record, whose id is that path parameter. */
  readonly each?: { readonly param: string; readonly max: number };
  /** A successful request does not count. */
  readonly freeIfSuccessful?: true;
}

export interface Schemas {
  /** UUIDs in the path, each with the 404 code for any other form. */
  readonly params?: Readonly<Record<string, ErrorCode>>;
  /** Of those that are no UUIDs: their forms. */
  readonly forms?: Readonly<Record<string, { readonly pattern: RegExp; readonly example: string }>>;
  readonly query?: TSchema;
  readonly body?: TSchema;
}

/** A schema with its description, for the OpenAPI document. */
export interface Described {
  readonly description: string;
  readonly example: string;
}

/** A request that the service sends to a tenant's server, for the OpenAPI document. */
export interface SentRequest {
  readonly name: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly headers: Readonly<Record<string, Described>>;
  readonly optionalHeaders?: Readonly<Record<string, Described>>;
  readonly body: TSchema;
}

export interface CookieAttributes {
  readonly path: string;
  readonly maxAgeSeconds: number;
}

/** The context of every handler. */
export interface BaseContext<S extends Schemas = Schemas> {
  readonly deps: Deps;
  readonly requestId: string;
  /** The client's whole address, as the connection or a trusted proxy reports it. */
  readonly ip: string;
  /** The client's address; for IPv6, its /64. */
  readonly address: string;
  /** The handler checks and reads as for GET, and then has no effect: writes throw, cookies are not set, no stream begins. */
  readonly isHead: boolean;
  readonly params: { readonly [K in keyof S['params']]: string };
  readonly query: S['query'] extends TSchema ? Static<S['query']> : Record<string, never>;
  readonly body: S['body'] extends TSchema ? Static<S['body']> : Record<string, never>;
  /** A request header that may only be sent once; undefined if absent. */
  header(name: string): string | undefined;
  /** The first cookie with that name; undefined if absent. */
  cookie(name: string): string | undefined;
  /** As in `Credentials`. */
  readonly isFromOwnPage: boolean;
  /** For a library that reads the request itself. */
  readonly node: { readonly request: IncomingMessage; readonly response: ServerResponse };
  setHeader(name: string, value: string): void;
  /** HttpOnly, Secure and SameSite=Strict, as all our cookies. */
  setCookie(name: string, value: string, attributes: CookieAttributes): void;
  setStatus(status: number): void;
  /** Waits for something that does not use this node, without the request's slot (docs/adr/0029). */
  idle<T>(wait: () => Promise<T>): Promise<T>;
  /** Calls back when the client closes the connection, for requests that wait. */
  onClose(run: () => void): void;
  /** A write in a scope that does not come from the caller's credential, for example signing up or logging in. */
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

/** The context of handlers behind a tenant's credential. They read and write within one scope. */
export interface ScopedContext {
  readonly scope: Scope;
  readonly read: Read;
  write<T>(action: AuditAction, work: (w: Write) => Promise<T>): Promise<T>;
  /** As `write`, for work that locks the tenant's row. */
  write<T>(action: AuditAction, work: (w: TenantWrite) => Promise<T>, locks: 'tenant'): Promise<T>;
}

/** What a route that phones may call has besides: an account that the body may name, and the scope of a key unless a phone calls. */
export type PhoneContext = { readonly body: Partial<Scope> } & (
  | (ScopedContext & { readonly principal: KeyPrincipal })
  | { readonly principal: undefined; readonly scope: undefined }
);

export type Context<A extends Auth = Auth, S extends Schemas = Schemas> = BaseContext<S> &
  (A['kind'] extends 'key'
    ? A extends { readonly phone: true }
      ? PhoneContext
      : ScopedContext & {
          readonly principal:
            | KeyPrincipal
            | (A extends { readonly console: ConsoleAccess } ? ConsolePrincipal : never)
            | (A extends { readonly device: true } ? DevicePrincipal : never);
        }
    : A['kind'] extends 'console'
      ? ScopedContext & {
          readonly principal: ConsolePrincipal;
          /** The caller, as the audit log names it. */
          readonly actor: Actor;
        }
      : A['kind'] extends 'device'
        ? ScopedContext & { readonly principal: DevicePrincipal }
        : A['kind'] extends 'staff'
          ? ScopedContext & { readonly principal: StaffPrincipal }
          : A['kind'] extends 'legacy'
            ? ScopedContext
            : unknown);

/** The status of an error on a route; undefined before a route was found. */
export const statusOf = (code: ErrorCode, route?: Pick<Route, 'statuses'>): number =>
  route?.statuses?.[code] ?? ERRORS[code].status;

/** An endpoint. OpenAPI, the route list, limits and the security sweeps are derived from this. */
export interface Route<A extends Auth = Auth, S extends Schemas = Schemas> {
  /** A unique verb and object (`createUser`): the name of the operation in generated clients. */
  readonly operationId: string;
  /** Every GET also accepts HEAD. */
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** With `:name` for parameters. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly auth: A;
  /** The guarded acts that it can cause (model/acts.ts). */
  readonly acts?: readonly CausedAct<Context<A, S>['body']>[];
  /** Also for the owner of an account that is closing, which every other route rejects with 403. */
  readonly whileClosing?: true;
  readonly limit?: AddressLimit;
  readonly schemas?: S;
  /**
   * Schemas of successful responses by status. A string is the media type of a response that is not JSON. The handler of
   * `text/event-stream` returns an `EventStream`.
   */
  readonly replies: Readonly<Record<number, TSchema | string>>;
  /** The errors of this route's own rules. Those of the pipeline are added automatically. */
  readonly errors?: readonly ErrorCode[];
  /** The statuses of errors that have another one on this route than in the table of errors. */
  readonly statuses?: Readonly<Partial<Record<ErrorCode, number>>>;
  /** Request headers that the handler reads besides the credential, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Cookies that the handler requires, with their descriptions. */
  readonly cookies?: Readonly<Record<string, Described>>;
  /** Response headers that only this route sets on success. */
  readonly replyHeaders?: Readonly<Record<string, Described>>;
  /** An example of each response that is not JSON, by status. JSON responses have examples in their schemas. */
  readonly examples?: Readonly<Record<number, string>>;
  /** Other media types of a response that is not JSON, which the caller chooses by query, with their examples. */
  readonly otherMedia?: Readonly<Record<string, string>>;
  /** What the service sends because of this route: the `webhooks` of the OpenAPI document. */
  readonly sends?: readonly SentRequest[];
  /** False: the route needs no database and responds while the database is down. */
  readonly database?: false;
  /** The response contains a secret. */
  readonly secret?: boolean;
  /**
   * Successful responses over 1 KiB are compressed. Only for responses without keys, tokens and codes, because the size of a
   * compressed response can reveal a secret next to text that an attacker chose. Default: not compressed.
   */
  readonly compress?: true;
  /** Responses, errors included, are only valid at this moment. */
  readonly noStore?: boolean;
  /** Accepts Idempotency-Key. Returns the record of a repeated request again. */
  readonly replay?: (context: Context<A, S>, recordId: string) => Promise<unknown>;
  /** Accepts an HTML form (`application/x-www-form-urlencoded`) as well as JSON. */
  readonly form?: boolean;
  /** The handler returns a `RawReply`, which reads query and body itself. */
  readonly raw?: true;
  /** A raw route that also answers the preflight requests of browsers. */
  readonly preflight?: true;
  /** Accepts `biometricTemplate`, which all other routes reject, and a larger body for it [proofs/templates]. */
  readonly takesTemplate?: boolean;
  /** Rejects a body in which an object has a key twice, because a hash of its value is proved. */
  readonly keysOnce?: true;
  /** Throws if the operator has not enabled the route. Runs after the checks of credential and scope, before the body is read. */
  readonly gate?: (deps: Deps) => void;
  /** The path of its successor, for headers and OpenAPI. */
  readonly successor?: string;
  /** If this returns false, the server does not have the route. */
  readonly when?: (config: Config) => boolean;
  /**
   * Returns the value of the response. A response that is not JSON may be text, bytes, an async iterable of text that is
   * sent as it is produced, or a `StaticText`.
   */
  readonly handler: (context: Context<A, S>) => Promise<unknown>;
}

/** Declares a route with inferred types, which are erased in a list of routes. */
export function route<const A extends Auth, const S extends Schemas = Record<never, never>>(
  definition: Route<A, S>,
): Route {
  return definition as unknown as Route;
}

const NO_QUERY = strictObject({});

/** The query of a route. A session names the environment there, which a key has by itself. */
export const queryOf = (of: Pick<Route, 'auth' | 'schemas'>): TSchema => {
  const query = of.schemas?.query ?? NO_QUERY;
  return takesSession(of) ? forSession(query as typeof NO_QUERY) : query;
};

/** The body of a route, if it has one. With a key, the account that a phone names is optional. */
export const bodyOf = (of: Pick<Route, 'auth' | 'schemas'>): TSchema | undefined => {
  const body = of.schemas?.body;
  return body && takesPhone(of) ? forPhone(body as typeof NO_QUERY) : body;
};

/** The body of a phone without a key. */
export const phoneBodyOf = ({ schemas }: Pick<Route, 'schemas'>): TSchema =>
  byPhone((schemas?.body ?? NO_QUERY) as typeof NO_QUERY);

/**
 * The path below `/v1/phone` that phones of the version before call. It is removed with the next version
 * [phones/adding-without-a-key].
 */
export const formerPhonePath = (of: Route, operationId: string): Route => ({
  ...of,
  operationId,
  path: of.path.replace('/v1/', '/v1/phone/'),
  auth: open,
  schemas: { ...of.schemas, body: phoneBodyOf(of) },
  successor: of.path,
});

/** The success status of the route: the first of its replies. */
export const successStatus = (of: Route): number => Number(Object.keys(of.replies)[0]);
