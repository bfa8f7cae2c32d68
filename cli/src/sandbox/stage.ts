import { createIdentity, type PhoneIdentity } from '@svc/zk/phone';
import { type Answer, type Client, type Method, refusalOf } from '../client.js';
import { Failure } from '../failure.js';
import * as acts from '../phone/acts.js';

export interface Person extends PhoneIdentity {
  readonly userId: string;
}

/** A simulated pairing session, as the desktop opened it. */
export interface OpenPairing extends acts.PairingTarget {
  readonly cookie: string;
}

export interface OpenCeremony {
  readonly sessionId: string;
  readonly code: string;
}

/** What outcomes are played with: a key of the test environment, simulated phones, and time to wait. */
export interface Stage {
  readonly client: Client;
  /** As a client, which takes the first 429 for an answer. */
  readonly impatient: Client;
  readonly apiKey: string;
  /** Lets time pass; `why` is told to who waits. */
  wait(ms: number, why: string): Promise<void>;
  /** A call with the key. */
  ask(
    method: Method,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  /** The body of one that has to succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: the contract says what is there
  call(method: Method, path: string, body?: unknown): Promise<any>;
  /** A person who is registered already; the same one each time. */
  person(): Promise<Person>;
  newPerson(): Promise<Person>;
  /** The tokens of a new session. */
  session(): Promise<{ accessToken: string; refreshToken: string }>;
  openCeremony(): Promise<OpenCeremony>;
  openPairing(): Promise<OpenPairing>;
}

/** The windows by address are minutes long; those by plan are not waited for. */
const MOST_RETRY_SECONDS = 60;

export function createStage(client: Client, apiKey: string, wait: Stage['wait']): Stage {
  const patient: Client = {
    ...client,
    async ask(method, path, call) {
      for (;;) {
        const answer = await client.ask(method, path, call);
        const seconds = Number(answer.headers.get('retry-after'));
        if (answer.status !== 429 || seconds > MOST_RETRY_SECONDS) return answer;
        await wait(seconds * 1000, 'for the window of this address');
      }
    },
  };
  const ask: Stage['ask'] = (method, path, body, headers) =>
    patient.ask(method, path, {
      as: apiKey,
      ...(body !== undefined && { body }),
      ...(headers && { headers }),
    });
  const call: Stage['call'] = async (method, path, body) => {
    const answer = await ask(method, path, body);
    if (answer.status >= 400) throw await refusalOf(client, answer);
    return answer.body;
  };
  const newPerson = async (): Promise<Person> => {
    const identity = createIdentity();
    const { did, commitment } = identity;
    const { userId } = await call('POST', '/v1/identity/register', { did, commitment });
    return { ...identity, userId };
  };
  let first: Promise<Person> | undefined;
  const person = () => {
    first ??= newPerson();
    return first;
  };
  return {
    client: patient,
    impatient: client,
    apiKey,
    wait,
    ask,
    call,
    newPerson,
    person,
    async session() {
      const identity = await person();
      const nonce = await acts.askNonce(patient, apiKey);
      return acts.expectOk(patient, await acts.verify(patient, apiKey, identity, nonce));
    },
    async openCeremony() {
      const { session, pair } = await call('POST', '/v1/registrations', {});
      return { sessionId: session.id, code: pair.code };
    },
    async openPairing() {
      const { tenantId, environment } = await acts.askNonce(patient, apiKey);
      const answer = await ask('POST', '/v1/proof-pairing/sessions');
      if (answer.status >= 400) throw await refusalOf(client, answer);
      const { id: sessionId, nonce } = answer.body.session;
      const [cookie = ''] = String(answer.headers.get('set-cookie')).split(';', 1);
      return { sessionId, nonce, tenantId, environment, cookie };
    },
  };
}

/** What has to hold on the way to an outcome. */
export function insist(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Failure('refused', message);
}
