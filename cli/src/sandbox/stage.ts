import { parsePairingCode, Svc, SvcError, type SvcOptions } from '@svc/sdk';
import { createIdentity, type PhoneIdentity } from '@svc/zk/phone';
import { Failure } from '../failure.js';
import * as acts from '../phone/acts.js';
import type { Fault } from '../phone/faults/faults.js';

export interface Person extends PhoneIdentity {
  readonly userId: string;
}

/** A simulated pairing session, as the desktop opened it. */
export interface OpenPairing extends acts.PairingTarget {
  readonly cookie: string;
  /** The number that the desktop shows, if it asks for one. */
  readonly number: string | undefined;
}

export interface OpenCeremony {
  readonly sessionId: string;
  readonly code: string;
}

/** What outcomes need: clients with a key of the test environment, simulated phones, and a way to wait. */
export interface Stage {
  /** Waits when an address limit is reached. */
  readonly svc: Svc;
  /** Throws the first 429. */
  readonly impatient: Svc;
  /** Sends no key. */
  readonly keyless: Svc;
  /** Sends a key that does not exist. */
  readonly wrongKey: Svc;
  /** The latest response. */
  readonly last: () => Response;
  /** `why` is shown to the user. */
  wait(ms: number, why: string): Promise<void>;
  /** A registered person; the same one each time. */
  person(): Promise<Person>;
  newPerson(): Promise<Person>;
  /** The tokens of a new session. */
  session(): Promise<{ accessToken: string; refreshToken: string }>;
  openCeremony(): Promise<OpenCeremony>;
  /** Without a number and with a code that does not move, unless they are asked for. */
  openPairing(session?: Fault['session']): Promise<OpenPairing>;
}

/** Address limits have windows of up to a minute. Longer windows, those of plans, end the request. */
const MAX_RETRY_SECONDS = 60;

export function createStage(settings: SvcOptions, wait: Stage['wait']): Stage {
  const options = { ...settings, maxRetries: 0 };
  let last: Response | undefined;
  const send: typeof fetch = async (url, init) => {
    last = await fetch(url, init);
    return last;
  };
  const sendPatiently: typeof fetch = async (url, init) => {
    for (;;) {
      const response = await send(url, init);
      const seconds = Number(response.headers.get('retry-after'));
      if (response.status !== 429 || seconds > MAX_RETRY_SECONDS) return response;
      await wait(seconds * 1000, 'for the window of this address');
    }
  };
  const sendWithoutKey: typeof fetch = (url, init) => {
    const headers = new Headers(init?.headers);
    headers.delete('authorization');
    return send(url, { ...init, headers });
  };
  const timeoutMs = (options.timeoutMs ?? 0) + 2 * MAX_RETRY_SECONDS * 1000;
  const svc = new Svc({ ...options, timeoutMs, fetch: sendPatiently });
  const newPerson = async (): Promise<Person> => {
    const identity = createIdentity();
    const { did, commitment } = identity;
    const { userId } = await svc.identity.register({ did, commitment });
    return { ...identity, userId };
  };
  let first: Promise<Person> | undefined;
  const person = () => {
    first ??= newPerson();
    return first;
  };
  return {
    svc,
    impatient: new Svc({ ...options, fetch: send }),
    keyless: new Svc({ ...options, fetch: sendWithoutKey }),
    wrongKey: new Svc({ ...options, apiKey: `svc_test_${'0'.repeat(48)}`, fetch: send }),
    last: () => last as Response,
    wait,
    newPerson,
    person,
    async session() {
      return acts.verify(svc, await person(), await acts.createNonce(svc));
    },
    async openCeremony() {
      const { session, pair } = await svc.registrations.create();
      return { sessionId: session.id, code: pair.code };
    },
    async openPairing(session = { match: 'off' }) {
      const { cookie = '', matchCode, qrPayload } = await svc.pairing.create(session);
      return { ...parsePairingCode(qrPayload), cookie, number: matchCode };
    },
  };
}

/** Throws a Failure if a condition for an outcome does not hold. */
export function ensure(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Failure('refused', message);
}

/** The error of a request that has to fail. */
export async function errorOf(request: Promise<unknown>): Promise<SvcError> {
  const result = await request.catch((error: unknown) => error);
  if (result instanceof SvcError) return result;
  if (result instanceof Error) throw result;
  throw new Failure('refused', 'A request that has to fail succeeded.');
}
