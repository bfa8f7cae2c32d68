import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Timers } from '../../base/clock.js';
import { Failure } from '../../base/errors.js';
import { type Admission, createAdmission, MAX_WAIT_MS, MAX_WAITING, type Slot } from './admission.js';
import type { Caller } from './turns.js';

const account = (name: string): Caller => ({ group: 'account', name });
const network = (name: string): Caller => ({ group: 'network', name });

/** Timers that run when `elapse` is called. */
function manualTimers() {
  const pending = new Map<() => void, number>();
  const timers: Timers = {
    after(ms, run) {
      pending.set(run, ms);
      return () => pending.delete(run);
    },
  };
  const elapse = () => {
    for (const run of [...pending.keys()]) {
      pending.delete(run);
      run();
    }
  };
  return { timers, pending, elapse };
}

/** What became of a request: its slot, and the reason if it was rejected. */
interface Request {
  readonly slot: Slot;
  rejected?: Failure;
}

function send(admission: Admission, caller: Caller): Request {
  const request: Request = { slot: admission.slotFor(caller) };
  request.slot.take()?.catch((error: Failure) => {
    request.rejected = error;
  });
  return request;
}

function setUp(limit = 2) {
  const { timers, pending, elapse } = manualTimers();
  const admission = createAdmission(timers);
  admission.limit = limit;
  return { admission, pending, elapse, send: (caller: Caller) => send(admission, caller) };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));
const states = (requests: readonly Request[]) => requests.map(({ slot }) => slot.state);

describe('the slots of a node', () => {
  it('are taken without waiting while there are some', () => {
    const { admission, send: request } = setUp(2);
    expect(states([request(account('a')), request(account('a')), request(account('a'))])).toEqual([
      'taken',
      'taken',
      'waiting',
    ]);
    expect(admission).toMatchObject({ inProgress: 2, waiting: 1 });
  });

  it('go to a waiting request when one is left or when there are more', () => {
    const { admission, send: request } = setUp(1);
    const [first, second, third] = [request(account('a')), request(account('a')), request(account('a'))];
    first.slot.leave();
    expect(states([first, second, third])).toEqual(['none', 'taken', 'waiting']);
    admission.limit = 2;
    expect(third.slot.state).toBe('taken');
  });

  it('are given back once, however often the request leaves', () => {
    const { admission, send: request } = setUp(2);
    const { slot } = request(account('a'));
    request(account('a'));
    slot.leave();
    slot.leave();
    expect(admission.inProgress).toBe(1);
  });

  it('are not taken by work that goes on after its request has ended', () => {
    const { admission, send: request } = setUp(1);
    const { slot } = request(account('a'));
    slot.leave();
    slot.end();
    expect([slot.take(), slot.state, admission.inProgress]).toEqual([undefined, 'none', 0]);
    const { slot: other } = request(account('a'));
    other.end();
    expect([other.take(), other.state, admission.inProgress]).toEqual([undefined, 'none', 0]);
  });

  it('are taken again after a pause, before other requests of the caller and however long that takes', async () => {
    const { admission, elapse, send: request } = setUp(1);
    const paused = request(account('a'));
    paused.slot.leave();
    const [running, other] = [request(account('a')), request(account('a'))];
    const again = paused.slot.take();
    elapse();
    await settled();
    expect(other.rejected).toBeInstanceOf(Failure);
    running.slot.leave();
    await again;
    expect(paused.slot.state).toBe('taken');
    expect(admission.waiting).toBe(0);
  });
});

describe('a request without a slot', () => {
  it('is rejected with 503 after a second', async () => {
    const { admission, pending, elapse, send: request } = setUp(1);
    request(account('a'));
    const late = request(account('a'));
    expect([...pending.values()]).toEqual([MAX_WAIT_MS]);
    elapse();
    await settled();
    expect(late.rejected).toMatchObject({ code: 'service_unavailable', options: { retryAfterSeconds: 2 } });
    expect(admission).toMatchObject({ inProgress: 1, waiting: 0, rejected: 1 });
  });

  it('leaves the queue when its client disconnects, and no timer stays', async () => {
    const { admission, pending, send: request } = setUp(1);
    request(account('a'));
    const gone = request(account('a'));
    gone.slot.leave();
    await settled();
    expect(gone.rejected?.options.because).toBe('the client disconnected while it waited');
    expect([admission.waiting, pending.size]).toEqual([0, 0]);
  });
});

describe('the order of waiting requests', () => {
  /** Ends one request after another, and returns who got the slot. */
  function serve({ admission }: { admission: Admission }, running: Request, waiting: Map<string, Request[]>) {
    const order: string[] = [];
    let current = running;
    while (admission.waiting > 0) {
      current.slot.leave();
      const found = [...waiting].flatMap(([name, list]) =>
        list.filter(({ slot }) => slot.state === 'taken').map((request) => ({ name, request })),
      )[0];
      if (found === undefined) break;
      order.push(found.name);
      current = found.request;
    }
    return order;
  }

  it('alternates between accounts, however many requests each of them sent', () => {
    const test = setUp(1);
    const running = test.send(account('flood'));
    const flood = Array.from({ length: 6 }, () => test.send(account('flood')));
    const quiet = [test.send(account('quiet')), test.send(account('quiet'))];
    const order = serve(
      test,
      running,
      new Map([
        ['flood', flood],
        ['quiet', quiet],
      ]),
    );
    expect(order.slice(0, 4).filter((name) => name === 'quiet')).toHaveLength(2);
  });

  it('gives accounts half of the slots, however many networks an attacker has', () => {
    const test = setUp(4);
    const running = Array.from({ length: 4 }, (_, n) => test.send(network(`10.0.0.${n}`)));
    Array.from({ length: 200 }, (_, n) => test.send(network(`10.1.0.${n}`)));
    const mine = Array.from({ length: 4 }, () => test.send(account('mine')));
    for (const { slot } of running) slot.leave();
    expect(states(mine)).toEqual(['taken', 'taken', 'waiting', 'waiting']);
  });

  it('prefers the caller with the fewest requests in progress, so slow requests count too', () => {
    const test = setUp(3);
    const slow = Array.from({ length: 2 }, () => test.send(account('slow')));
    const fast = test.send(account('fast'));
    const more = [test.send(account('slow')), test.send(account('slow'))];
    const next = test.send(account('fast'));
    fast.slot.leave();
    expect(states([...slow, ...more, next])).toEqual(['taken', 'taken', 'waiting', 'waiting', 'taken']);
  });
});

describe('a full queue', () => {
  function full() {
    const test = setUp(1);
    test.send(account('flood'));
    const waiting = Array.from({ length: MAX_WAITING }, () => test.send(account('flood')));
    return { ...test, waiting };
  }

  it('rejects the caller with the most waiting requests', async () => {
    const { admission, send: request } = full();
    const late = request(account('flood'));
    await settled();
    expect(late.rejected?.options.because).toBe('overload: too many wait');
    expect([admission.isFull, admission.refuses(account('flood'))]).toEqual([true, true]);
  });

  it.each([account('quiet'), network('192.0.2.1')])(
    'has room for a request of somebody else: %o',
    async (caller) => {
      const { admission, waiting, send: request } = full();
      expect(admission.refuses(caller)).toBe(false);
      const quiet = request(caller);
      await settled();
      expect(quiet.slot.state).toBe('waiting');
      expect(waiting.filter(({ rejected }) => rejected !== undefined)).toEqual([waiting.at(-1)]);
      expect(admission.waiting).toBe(MAX_WAITING);
    },
  );
});

describe('any sequence of requests', () => {
  const caller = fc.constantFrom(account('a'), account('b'), network('1'), network('2'));
  const step = fc.oneof(
    fc.record({ do: fc.constant('send' as const), caller }),
    fc.record({ do: fc.constant('leave' as const), at: fc.nat() }),
    fc.record({ do: fc.constant('take' as const), at: fc.nat() }),
    fc.record({ do: fc.constant('limit' as const), to: fc.integer({ min: 1, max: 5 }) }),
    fc.record({ do: fc.constant('elapse' as const) }),
  );

  it('never leaves a slot unused while a request waits, never exceeds the limit, and gives back every slot', () =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { admission, pending, elapse, send: request } = setUp(3);
        const requests: Request[] = [];
        let highest = 3;
        for (const action of steps) {
          if (action.do === 'send') requests.push(request(action.caller));
          else if (action.do === 'elapse') elapse();
          else if (action.do === 'limit') {
            admission.limit = action.to;
            highest = Math.max(admission.inProgress, action.to);
          } else {
            const chosen = requests[action.at % Math.max(1, requests.length)];
            if (action.do === 'leave') chosen?.slot.leave();
            else chosen?.slot.take()?.catch(() => {});
          }
          const taken = requests.filter(({ slot }) => slot.state === 'taken').length;
          const waiting = requests.filter(({ slot }) => slot.state === 'waiting').length;
          expect([admission.inProgress, admission.waiting]).toEqual([taken, waiting]);
          expect(taken).toBeLessThanOrEqual(highest);
          if (waiting > 0) expect(taken).toBeGreaterThanOrEqual(admission.limit);
        }
        while (requests.some(({ slot }) => slot.state !== 'none'))
          for (const { slot } of requests) slot.leave();
        expect([admission.inProgress, admission.waiting, pending.size]).toEqual([0, 0, 0]);
      }),
    ));
});

describe('a node that shuts down [service/busy-shutdown]', () => {
  it('rejects a request that would wait, and serves those that have a slot or had one', async () => {
    const { admission, send: request } = setUp(1);
    const [first, earlier] = [request(account('a')), request(account('a'))];
    admission.stopWaiting();
    const late = request(account('b'));
    await settled();
    expect(late.rejected).toMatchObject({ code: 'service_unavailable' });
    expect([earlier.slot.state, admission.isRefusing]).toEqual(['waiting', true]);
    first.slot.leave();
    expect(earlier.slot.state).toBe('taken');
    void first.slot.take();
    earlier.slot.end();
    expect([first.slot.state, admission.isRefusing]).toEqual(['taken', true]);
    first.slot.end();
    expect(admission.isRefusing).toBe(false);
    expect(request(account('c')).slot.state).toBe('taken');
  });
});
