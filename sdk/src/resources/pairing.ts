import type { PairingProofSubmitParams } from '../generated/api.js';
import { SvcError } from '../transport/errors.js';
import type { Environment } from '../transport/options.js';
import { linkedController, sleep } from '../transport/timing.js';
import { backoff, type Reply, type RequestOptions, type Transport } from '../transport/transport.js';
import {
  type BoundPairing,
  isTransient,
  type PairingOperations,
  type PairingWatch,
  waitForBind,
} from './pairing-watch.js';

/** A pairing session of a desktop or its backend. Plain data that you can store between requests. */
export type Pairing = Reply<'createPairingSession'>['session'] & {
  /** The bind cookie, `name=value`, which allows watching the session. Absent in browsers, which store it themselves. */
  readonly cookie?: string;
};

type PairingReply = Reply<'getPairingSession'>;

/** How to show codes until somebody has signed in. */
export interface PairingSignIn extends PairingWatch {
  /** Shows `pairing.qrPayload` as a QR code, replacing the previous one. If it throws, the sign-in ends. */
  onCode(pairing: Pairing): void | Promise<void>;
  /** How many codes may expire, after 5 minutes each. Default: 12, which is an hour. */
  readonly codes?: number;
}

const DEFAULT_CODES = 12;
/** How often to request a new code while the service is unavailable. Takes a few minutes. */
const MAX_RENEWALS = 40;

/** With an API key, which has its own environment. Scope `proof_pairing:create`. */
const BY_KEY: PairingOperations = {
  create: 'createPairingSession',
  get: 'getPairingSession',
  stream: 'streamPairingSession',
  query: {},
};

/** @internal With a console token. Every call names the environment. */
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

  /** The current state, and the tokens once it is bound. */
  async get(pairing: Pick<Pairing, 'id' | 'cookie'>, options?: RequestOptions): Promise<PairingReply> {
    const { get, query } = this.#operations;
    const input = { path: { id: pairing.id }, query };
    return (await this.#transport.send(get, input, options, cookieOf(pairing))).body as PairingReply;
  }

  /**
   * Waits until a phone binds the session, using the event stream, or polling if streams don't work. Reconnects automatically.
   * The callbacks report when the code on the screen can't be used.
   * @throws SvcError `pairing_session_expired` if no phone bound the session in time
   */
  wait(pairing: Pairing, watch: PairingWatch = {}): Promise<BoundPairing> {
    return waitForBind(this.#transport, this.#operations, pairing, watch, cookieOf(pairing));
  }

  /** Opens a session and waits until a person signs in. Replaces expired codes with new ones. */
  async signIn({ onCode, codes = DEFAULT_CODES, ...watch }: PairingSignIn): Promise<BoundPairing> {
    if (typeof onCode !== 'function')
      throw new SvcError('invalid_options', 'signIn needs onCode. Pass a function that displays the code.');
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

  /** Replaces an expired code. Retries are safe, because an unused session does no harm. */
  async #renew({ onLost, onResumed, signal }: PairingWatch): Promise<Pairing> {
    for (let attempt = 1; ; attempt++) {
      try {
        const pairing = await this.create({ signal });
        if (attempt > 1) onResumed?.();
        return pairing;
      } catch (error) {
        if (!(error instanceof SvcError) || !isTransient(error) || attempt === MAX_RENEWALS) throw error;
        if (attempt === 1) onLost?.(error);
        const { timing } = this.#transport.settings;
        const pause = (error.retryAfterSeconds ?? 0) * 1000 + backoff(timing, attempt);
        await sleep(timing, pause, signal);
      }
    }
  }
}

/** `svc.pairing`: a desktop shows a code, a phone proves, and both are logged in. The desktop's key needs `proof_pairing:create`. */
export class PairingSessions extends PairingDesktop {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    super(transport, BY_KEY);
    this.#transport = transport;
  }

  /** Whether a code can still be used; needs no key. @throws SvcError `pairing_session_not_found` if it can't */
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
