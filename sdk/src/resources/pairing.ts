import type { PairingProofSubmitParams } from '../generated/api.js';
import { SvcError } from '../transport/errors.js';
import type { Environment } from '../transport/options.js';
import { linkedController, sleep } from '../transport/timing.js';
import { backoff, type Reply, type RequestOptions, type Transport } from '../transport/transport.js';
import {
  type BoundPairing,
  mends,
  type PairingOperations,
  type PairingWatch,
  waitForBind,
} from './pairing-watch.js';

/** A pairing session as a desktop, or its backend, holds it: plain data, to be kept between requests. */
export type Pairing = Reply<'createPairingSession'>['session'] & {
  /** The bind cookie, `name=value`: who has it can watch the session. Absent in browsers, which keep it themselves. */
  readonly cookie?: string;
};

type PairingReply = Reply<'getPairingSession'>;

/** How to show codes until somebody has signed in. */
export interface PairingSignIn extends PairingWatch {
  /** Shows `pairing.qrPayload` as a QR code, in place of the one before. What it throws ends the sign-in. */
  onCode(pairing: Pairing): void | Promise<void>;
  /** How many codes may run out, 5 minutes each. Default 12, an hour. */
  readonly codes?: number;
}

const DEFAULT_CODES = 12;
/** How often a new code is asked for where the service is away: a few minutes long. */
const RENEWAL_TRIES = 40;

/** With an API key, which has an environment of its own. Scope `proof_pairing:create`. */
const BY_KEY: PairingOperations = {
  create: 'createPairingSession',
  get: 'getPairingSession',
  stream: 'streamPairingSession',
  query: {},
};

/** @internal In the console, which says with every call which environment it means. */
export const inConsole = (environment: Environment): PairingOperations => ({
  create: 'consoleCreatePairingSession',
  get: 'consoleGetPairingSession',
  stream: 'consoleStreamPairingSession',
  query: { environment },
});

/** The desktop's part of a pairing: it shows a code and waits. */
export class PairingDesktop {
  readonly #transport: Transport;
  readonly #operations: PairingOperations;

  constructor(transport: Transport, operations: PairingOperations) {
    this.#transport = transport;
    this.#operations = operations;
  }

  /** Creates a session, valid for 300 seconds; `qrPayload` is the text of its QR code. */
  async create(options?: RequestOptions): Promise<Pairing> {
    const { create, query } = this.#operations;
    const { headers, body } = await this.#transport.send(create, { query }, options);
    const { session } = body as Reply<'createPairingSession'>;
    const cookie = headers.getSetCookie?.().find((text) => text.startsWith('svc_pair_bind='));
    return cookie === undefined ? session : { ...session, cookie: cookie.split(';', 1)[0] as string };
  }

  /** The present state, and the tokens once it is bound. */
  async get(pairing: Pick<Pairing, 'id' | 'cookie'>, options?: RequestOptions): Promise<PairingReply> {
    const { get, query } = this.#operations;
    const input = { path: { id: pairing.id }, query };
    return (await this.#transport.send(get, input, options, cookieOf(pairing))).body as PairingReply;
  }

  /**
   * Waits until a phone has bound the session, over the event stream, or by asking where streams do not pass. A broken
   * connection is mended; the callbacks say when the code on the screen is not worth scanning.
   * @throws SvcError `pairing_session_expired` when nobody came in time
   */
  wait(pairing: Pairing, watch: PairingWatch = {}): Promise<BoundPairing> {
    return waitForBind(this.#transport, this.#operations, pairing, watch, cookieOf(pairing));
  }

  /** Opens sessions and waits, a new code in place of each that ran out, until somebody has signed in. */
  async signIn({ onCode, codes = DEFAULT_CODES, ...watch }: PairingSignIn): Promise<BoundPairing> {
    if (typeof onCode !== 'function')
      throw new SvcError(
        'invalid_options',
        'Signing in by pairing needs onCode, a function that shows the code.',
      );
    for (let left = codes; ; left--) {
      const pairing = left === codes ? await this.create({ signal: watch.signal }) : await this.#renew(watch);
      const controller = linkedController(watch.signal);
      const shown = Promise.resolve(pairing).then(onCode);
      shown.catch((error: unknown) => controller.abort(error));
      try {
        return await this.wait(pairing, { ...watch, signal: controller.signal });
      } catch (error) {
        const ranOut = error instanceof SvcError && error.code === 'pairing_session_expired';
        if (!ranOut || left <= 1) throw error;
      } finally {
        controller.release();
      }
    }
  }

  /** A code in place of one that ran out. A session that was opened for nothing hurts nobody, so this is tried again. */
  async #renew({ onLost, onResumed, signal }: PairingWatch): Promise<Pairing> {
    for (let attempt = 1; ; attempt++) {
      try {
        const pairing = await this.create({ signal });
        if (attempt > 1) onResumed?.();
        return pairing;
      } catch (error) {
        if (!(error instanceof SvcError) || !mends(error) || attempt === RENEWAL_TRIES) throw error;
        if (attempt === 1) onLost?.(error);
        const { timing } = this.#transport.settings;
        const pause = (error.retryAfterSeconds ?? 0) * 1000 + backoff(timing, attempt);
        await sleep(timing, pause, signal);
      }
    }
  }
}

/** `svc.pairing`: a desktop shows a code, a phone proves, and both are logged in. The desktop's key has `proof_pairing:create`. */
export class PairingSessions extends PairingDesktop {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    super(transport, BY_KEY);
    this.#transport = transport;
  }

  /** Whether a code can still be used; needs no key. @throws SvcError `pairing_session_not_found` in every other case */
  getPublic(id: string, options?: RequestOptions): Promise<Reply<'getPublicPairingSession'>> {
    return this.#transport.call('getPublicPairingSession', { path: { id } }, options);
  }

  /** The phone's part: sends its proof to this client's own base URL. Scope `proof_pairing:claim`. */
  submitProof(
    id: string,
    { did, proof, publicSignals, clientMeta }: PairingProofSubmitParams,
    options?: RequestOptions,
  ): Promise<Reply<'submitPairingProof'>> {
    const body = { did, proof, publicSignals, clientMeta };
    return this.#transport.call('submitPairingProof', { path: { id }, body }, options);
  }
}

const cookieOf = ({ cookie }: Pick<Pairing, 'cookie'>): Record<string, string> =>
  cookie === undefined ? {} : { cookie };
