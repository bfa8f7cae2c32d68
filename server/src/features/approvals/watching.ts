import type { Static } from 'typebox';
import { fail } from '../../base/errors.js';
import type { Deps } from '../../http/deps.js';
import type { ConsolePrincipal, KeyPrincipal } from '../../http/principal.js';
import type { BaseContext, ScopedContext } from '../../http/route.js';
import { createChangeSignal, EventStream, type ServerEvent } from '../../http/transport/sse.js';
import { PLAN_LIMITS } from '../../model/plans.js';
import { requireApproval, showOne, showRow } from './approvals.js';
import type { ReadQuery } from './approvals.schema.js';
import { findWhile } from './approvals.store.js';
import { APPROVAL_TOPIC } from './changes.js';
import { stateAt } from './states.js';

/** Waits and streams of approvals have places of their own on each node: this share of the plan's streams. */
const SHARE_OF_STREAMS = 10;
const RETRY_AFTER_SECONDS = 15;

type Context = Pick<BaseContext, 'idle' | 'onClose'> &
  Pick<ScopedContext, 'read' | 'scope'> & {
    readonly deps: Deps;
    readonly principal: KeyPrincipal | ConsolePrincipal;
  };

function reservePlace({ deps, principal: { tenant } }: Context): (() => void) | undefined {
  const places = PLAN_LIMITS[tenant.plan].openStreams / SHARE_OF_STREAMS;
  return deps.streams.reserve([`approvals|${tenant.id}`, places]);
}

/** Signals each change of the approval, and when the credential may have ended. */
function watch({ deps, scope, principal }: Context, id: string) {
  const changes = createChangeSignal(deps.timers);
  const subscriptions = [
    deps.bus.subscribe(APPROVAL_TOPIC, id, changes.set),
    deps.bus.subscribe('tenant', scope.tenantId, changes.set),
    ...('keyId' in principal ? [deps.bus.subscribe('api_key', principal.keyId, changes.set)] : []),
  ];
  const stop = () => {
    for (const unsubscribe of subscriptions) unsubscribe();
  };
  return { changes, stop };
}

/**
 * The approval. With `wait`, the response is sent when it has changed, or after that many seconds. Without a free place, or if it
 * waits for nobody, it is sent immediately.
 */
export async function readApproval(
  context: Context & { readonly query: Static<typeof ReadQuery> },
  id: string,
) {
  const { deps, read, query, principal } = context;
  const { wait = 0 } = query;
  const first = await requireApproval(read, id);
  if (wait === 0 || stateAt(first, deps.clock.now()) !== 'pending') return showOne(context, id);
  const leave = reservePlace(context);
  if (leave === undefined) return showOne(context, id);
  const { changes, stop } = watch(context, id);
  const { closing } = deps.streams;
  const end = Math.min(deps.clock.now() + wait * 1000, first.expires_at.getTime());
  let isClosed = false;
  context.onClose(() => {
    isClosed = true;
    changes.set();
  });
  try {
    while (!closing.aborted && !isClosed) {
      // It may have changed before the subscription, so it is read again before the wait.
      const row = await findWhile(read, id, principal.revalidate(deps.clock.now()));
      const rest = end - deps.clock.now();
      if (row === undefined)
        return fail('keyId' in principal ? 'invalid_api_key' : 'invalid_console_token', {
          because: 'revoked in the meantime',
        });
      if (row.revision !== first.revision || rest <= 0) break;
      await context.idle(() => changes.wait(rest, closing));
    }
    return await showOne(context, id);
  } finally {
    stop();
    leave();
  }
}

/** The approval, and again after each change, until nothing can change it any more or the credential ends. */
async function* follow(context: Context, id: string, signal: AbortSignal): AsyncGenerator<ServerEvent> {
  const { deps, read, principal } = context;
  const { changes, stop } = watch(context, id);
  let seen: string | undefined;
  try {
    while (!signal.aborted) {
      const now = deps.clock.now();
      const row = await findWhile(read, id, principal.revalidate(now));
      if (row === undefined) return;
      const state = stateAt(row, now);
      const version = `${row.revision} ${state}`;
      if (version !== seen) {
        const data = { approval: await showRow(context, row) };
        yield { id: String(row.revision), event: 'approval', data };
      }
      seen = version;
      if (state !== 'pending' && state !== 'approved') return;
      await changes.wait(Math.max(0, row.expires_at.getTime() - deps.clock.now()), signal);
    }
  } finally {
    stop();
  }
}

export async function streamApproval(context: Context, id: string): Promise<EventStream> {
  await requireApproval(context.read, id);
  const leave = reservePlace(context);
  if (leave === undefined)
    return fail('rate_limit_exceeded', {
      message: 'Too many requests wait for approvals. Read the approval without `wait` instead.',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  return new EventStream((signal) => follow(context, id, signal), leave);
}
