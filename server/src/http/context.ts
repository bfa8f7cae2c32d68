import { fastifyCookie as cookies } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { invalid } from '../base/errors.js';
import type { Scope } from '../ledger/audit-store.js';
import { type Idempotency, idempotencyKey } from '../ledger/idempotency.js';
import { type Actor, reader, type TenantWrite } from '../ledger/write.js';
import type { AuditAction } from '../model/audit-actions.js';
import type { Deps } from './deps.js';
import { callerOf, credentialOf, credentialsOf, principalOf, type RequestState } from './request-state.js';
import type { Context, CookieAttributes, Route } from './route.js';

/** A write that takes longer waits for a lock and does not use the node. */
const SLOW_WRITE_MS = 500;

type WriteIn = <T>(
  scope: Scope,
  actor: Actor,
  action: AuditAction,
  work: (w: TenantWrite) => Promise<T>,
  locks?: 'tenant',
) => Promise<T>;

/** What a handler gets. Only that of a route with a credential has a scope. */
export function contextOf(
  deps: Deps,
  state: RequestState,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Context {
  const { header, cookie, isFromOwnPage } = state.credentials ?? credentialsOf(request, state, deps.config);
  const single = (name: string) => {
    const value = header(name);
    return typeof value === 'object' ? invalid(`headers.${name}`, 'must be sent once') : value;
  };
  const isHead = request.method === 'HEAD';
  const idempotency = route.replay && readIdempotency(single('idempotency-key'), route, state);
  const writeIn = isHead ? refuseWrite : writerOf(deps, state, reply, idempotency);
  const caller = callerOf(state, request.query as Record<string, unknown>);
  // Without spreads: to copy another object into this one would cost more than all the rest.
  return {
    deps,
    requestId: state.requestId,
    ip: state.ip,
    address: state.address,
    isHead,
    params: state.params,
    query: request.query,
    body: request.body,
    header: single,
    cookie,
    isFromOwnPage,
    setHeader: (name: string, value: string) => void reply.header(name, value),
    setCookie(name: string, value: string, { path, maxAgeSeconds: maxAge }: CookieAttributes) {
      const attributes = { path, maxAge, httpOnly: true, secure: true, sameSite: 'strict' } as const;
      if (!isHead) void reply.header('set-cookie', cookies.serialize(name, value, attributes));
    },
    setStatus: (status: number) => void reply.code(status),
    onClose: (run: () => void) => void (reply.raw.closed ? run() : reply.raw.once('close', run)),
    node: { request: request.raw, response: reply.raw },
    async idle<T>(wait: () => Promise<T>): Promise<T> {
      state.slot?.leave();
      try {
        return await wait();
      } finally {
        await state.slot?.take();
      }
    },
    writeIn,
    principal: principalOf(state),
    scope: caller?.scope,
    actor: caller?.actor,
    read: caller && reader(deps.db, caller.scope),
    write:
      caller &&
      (<T>(action: AuditAction, work: (w: TenantWrite) => Promise<T>, locks?: 'tenant') =>
        writeIn(caller.scope, caller.actor, action, work, locks)),
  } as unknown as Context;
}

/** Audited writes of a request. The credential is checked again in the transaction. */
function writerOf(
  { timers, write, counters }: Deps,
  state: RequestState,
  reply: FastifyReply,
  idempotency: Idempotency | undefined,
): WriteIn {
  const isAbandoned = () => reply.raw.destroyed && !reply.raw.writableFinished;
  return async (scope, actor, action, work, locks) => {
    const intent = { scope, actor, action, idempotency, isAbandoned, credential: credentialOf(state) };
    // Otherwise the writes of one locked chain would hold all slots of the node.
    const cancel = timers.after(SLOW_WRITE_MS, () => state.slot?.leave());
    try {
      // In `Context`, only routes that declare that they lock get a `TenantWrite`.
      const result = await write({ ...intent, locks: locks as 'tenant' }, work);
      counters.write(action);
      return result;
    } finally {
      cancel();
      await state.slot?.take();
    }
  };
}

const refuseWrite: WriteIn = async (_scope, _actor, action) => {
  throw new Error(`HEAD must not write (${action}): the handler asks \`isHead\` first`);
};

function readIdempotency(
  header: string | undefined,
  { method, path }: Route,
  { bodyHash, consolePrincipal, devicePrincipal }: RequestState,
): Idempotency | undefined {
  const key = idempotencyKey(header);
  // Sessions and devices have their own keys, so that they cannot repeat the requests of programs or of each other.
  const caller = devicePrincipal
    ? `device ${devicePrincipal.device.id} `
    : consolePrincipal
      ? 'session '
      : '';
  const route = `${caller}${method} ${path}`;
  return key === undefined ? undefined : { key, route, bodyHash };
}
