import { fail } from '../../../base/errors.js';
import type { Deps } from '../../../http/deps.js';
import type { ConsolePrincipal, DevicePrincipal, KeyPrincipal } from '../../../http/principal.js';
import type { ScopedContext } from '../../../http/route.js';
import { createChangeSignal, EventStream, type ServerEvent } from '../../../http/transport/sse.js';
import { PLAN_LIMITS } from '../../../model/plans.js';
import { isOpen, requireOwnSession, serializeSession } from '../session.js';
import { REGISTRATION_TOPIC } from './context.js';
import { findWhile } from './following.store.js';

const RETRY_AFTER_SECONDS = 15;

type Context = Pick<ScopedContext, 'read' | 'scope'> & {
  readonly deps: Pick<Deps, 'bus' | 'clock' | 'streams' | 'timers'>;
  readonly principal: KeyPrincipal | ConsolePrincipal | DevicePrincipal;
};

/** The registration, and again after each change, until its ceremony has ended or the credential does. */
async function* follow(
  { deps, read, scope, principal }: Context,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const { bus, clock, timers } = deps;
  const changes = createChangeSignal(timers);
  const stop = [
    bus.subscribe(REGISTRATION_TOPIC, id, changes.set),
    bus.subscribe('tenant', scope.tenantId, changes.set),
    ...('keyId' in principal ? [bus.subscribe('api_key', principal.keyId, changes.set)] : []),
    ...('device' in principal ? [bus.subscribe('device', principal.device.id, changes.set)] : []),
  ];
  let seen: string | undefined;
  try {
    while (!signal.aborted) {
      const now = clock.now();
      const row = await findWhile(read, id, principal.revalidate(now));
      if (row === undefined) return;
      const session = serializeSession(row, now);
      const version = `${session.state} ${session.phone_connected_at}`;
      if (version !== seen) yield { event: 'registration', data: { session } };
      seen = version;
      // Also a recovery that waits: that takes days.
      if (!isOpen(session)) return;
      await changes.wait(Math.max(0, row.expires_at.getTime() - clock.now()), signal);
    }
  } finally {
    for (const unsubscribe of stop) unsubscribe();
  }
}

/** A stream has one of the plan's places, like that of a pairing. */
export async function streamRegistration(context: Context, id: string): Promise<EventStream> {
  const { read, principal, deps } = context;
  await requireOwnSession(read, principal, id);
  const { id: tenantId, plan } = principal.tenant;
  const leave = deps.streams.reserve([tenantId, PLAN_LIMITS[plan].openStreams]);
  if (leave === undefined)
    return fail('rate_limit_exceeded', {
      message: 'Too many streams are open. Poll the registration instead.',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  return new EventStream((signal) => follow(context, id, signal), leave);
}
