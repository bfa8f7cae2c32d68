import type { Static } from 'typebox';
import type { BaseContext } from '../../../http/route.js';
import { createChangeSignal } from '../../../http/transport/sse.js';
import { reader } from '../../../ledger/write.js';
import { ADDITION_TOPIC, requireAddition, serializeAddition } from './additions.js';
import type { AdditionQuery } from './additions.schema.js';
import { findInForceAt } from './additions.store.js';

/** Requests of one addition that wait on this node: two phones, and one retry of each. */
const MAX_WAITS = 4;
/** Of all additions, so that waiting takes a bounded part of the node's memory. */
const MAX_WAITS_OF_NODE = 2_000;

type WaitingContext = Pick<BaseContext, 'deps' | 'idle' | 'onClose'> & {
  readonly query: Static<typeof AdditionQuery>;
};

/**
 * The addition. With `wait`, the response is sent when the state is no longer `state` (default: the present one), or after that many
 * seconds. Without room for another waiting request, it is sent immediately.
 */
export async function readAddition(context: WaitingContext, id: string) {
  const { deps, query } = context;
  const { wait = 0 } = query;
  let row = await requireAddition(context, id);
  const known = query.state ?? row.state;
  const show = async () => {
    const { tenant_id: tenantId, environment, state, new_did: did } = row;
    const isAdded = state === 'completed' && did !== null;
    const inForceAt = isAdded ? await findInForceAt(reader(deps.db, { tenantId, environment }), did) : null;
    return { addition: serializeAddition(row, inForceAt) };
  };
  if (wait === 0 || row.state !== known) return show();
  const leave = deps.streams.reserve([`addition|${id}`, MAX_WAITS], ['additions', MAX_WAITS_OF_NODE]);
  if (leave === undefined) return show();
  const changes = createChangeSignal(deps.timers);
  const unsubscribe = deps.bus.subscribe(ADDITION_TOPIC, id, changes.set);
  const { closing } = deps.streams;
  const end = deps.clock.now() + wait * 1000;
  let isClosed = false;
  context.onClose(() => {
    isClosed = true;
    changes.set();
  });
  try {
    while (!closing.aborted && !isClosed) {
      // It may have changed before the subscription, so it is read again before the wait.
      row = await requireAddition(context, id);
      const now = deps.clock.now();
      const rest = Math.min(end, row.expires_at.getTime()) - now;
      if (row.state !== known || rest <= 0) break;
      await context.idle(() => changes.wait(rest, closing));
    }
    return await show();
  } finally {
    unsubscribe();
    leave();
  }
}
