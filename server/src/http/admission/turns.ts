/** Who a request is from, as far as its headers tell. */
export interface Caller {
  /** `account` if the request has a credential that this node accepted before, otherwise `network`. */
  readonly group: 'account' | 'network';
  /** The account's id, or the network of the client's address. */
  readonly name: string;
}

/** A request that waits. */
export interface Waiting {
  readonly caller: Caller;
  /** It had a slot before and can't be rejected any more. */
  readonly isResumed: boolean;
}

interface State<W> {
  readonly caller: Caller;
  inProgress: number;
  readonly waiting: W[];
}

/** Waiting requests by caller, and how many requests of each caller are in progress. */
export interface Turns<W extends Waiting> {
  /** The number of waiting requests. */
  readonly size: number;
  push(request: W): void;
  /** Removes a waiting request. False if it does not wait. */
  remove(request: W): boolean;
  /** Removes the request whose turn it is, and counts it as in progress. */
  next(): W | undefined;
  /** The request to reject if there is no room for another one of this caller. Undefined if that is the one to reject. */
  lastBefore(caller: Caller): W | undefined;
  begin(caller: Caller): void;
  end(caller: Caller): void;
}

/**
 * The next request is one of the caller with the fewest requests in progress, so slow requests count as much as many. First
 * the group with fewer requests in progress is chosen, so an attacker with many addresses gets no more than half of the node
 * while accounts wait. Among equals, the one that was served longest ago is first.
 */
export function createTurns<W extends Waiting>(): Turns<W> {
  /** In the order in which they were last served. */
  const callers = new Map<string, State<W>>();
  const groups: Record<Caller['group'], { inProgress: number; waiting: number; servedAt: number }> = {
    account: { inProgress: 0, waiting: 0, servedAt: 0 },
    network: { inProgress: 0, waiting: 0, servedAt: 0 },
  };
  let served = 0;

  const keyOf = ({ group, name }: Caller) => `${group}|${name}`;
  const stateOf = (caller: Caller): State<W> => {
    const key = keyOf(caller);
    let state = callers.get(key);
    if (state === undefined) {
      state = { caller, inProgress: 0, waiting: [] };
      callers.set(key, state);
    }
    return state;
  };
  const forgetIdle = ({ caller, inProgress, waiting }: State<W>) => {
    if (inProgress === 0 && waiting.length === 0) callers.delete(keyOf(caller));
  };
  const begin = (state: State<W>) => {
    state.inProgress += 1;
    groups[state.caller.group].inProgress += 1;
  };

  function nextGroup(): Caller['group'] | undefined {
    const { account, network } = groups;
    if (account.waiting === 0 || network.waiting === 0)
      return account.waiting > 0 ? 'account' : network.waiting > 0 ? 'network' : undefined;
    const lead = account.inProgress - network.inProgress || account.servedAt - network.servedAt;
    return lead <= 0 ? 'account' : 'network';
  }

  return {
    get size() {
      return groups.account.waiting + groups.network.waiting;
    },
    push(request) {
      const { waiting } = stateOf(request.caller);
      if (request.isResumed) waiting.unshift(request);
      else waiting.push(request);
      groups[request.caller.group].waiting += 1;
    },
    remove(request) {
      const state = stateOf(request.caller);
      const at = state.waiting.indexOf(request);
      if (at >= 0) {
        state.waiting.splice(at, 1);
        groups[request.caller.group].waiting -= 1;
      }
      forgetIdle(state);
      return at >= 0;
    },
    next() {
      const group = nextGroup();
      if (group === undefined) return undefined;
      let least: State<W> | undefined;
      for (const state of callers.values()) {
        if (state.caller.group !== group || state.waiting.length === 0) continue;
        if (least === undefined || state.inProgress < least.inProgress) least = state;
      }
      const state = least as State<W>;
      // Behind the others.
      callers.delete(keyOf(state.caller));
      callers.set(keyOf(state.caller), state);
      groups[group].servedAt = served += 1;
      groups[group].waiting -= 1;
      begin(state);
      return state.waiting.shift();
    },
    lastBefore(caller) {
      const waitingIn = (group: Caller['group']) => groups[group].waiting + (group === caller.group ? 1 : 0);
      const group = waitingIn('account') > waitingIn('network') ? 'account' : 'network';
      let most: State<W> | undefined;
      for (const state of callers.values())
        if (state.caller.group === group && state.waiting.length > (most?.waiting.length ?? 0)) most = state;
      const own = callers.get(keyOf(caller))?.waiting.length ?? 0;
      if (most === undefined || (group === caller.group && own + 1 >= most.waiting.length)) return undefined;
      const last = most.waiting.at(-1);
      return last?.isResumed ? undefined : last;
    },
    begin: (caller) => begin(stateOf(caller)),
    end(caller) {
      const state = stateOf(caller);
      state.inProgress -= 1;
      groups[caller.group].inProgress -= 1;
      forgetIdle(state);
    },
  };
}
