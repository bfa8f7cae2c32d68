import { type PairingCreateParams, type PairingProofSubmitParams, ROUTES } from '../generated/api.js';
import { SvcError } from '../transport/errors.js';
import type { Environment } from '../transport/options.js';
import { linkedController, sleep } from '../transport/timing.js';
import { backoff, type Reply, type RequestOptions, type Transport } from '../transport/transport.js';
import { type BoundPairing, isTransient, type PairingWatch, waitForBind } from './pairing-watch.js';
import { submission } from './phone/phone.js';

/** A pairing session of a desktop or its backend. Plain data that you can store between requests. */
export type Pairing = Omit<Reply<'createPairingSession'>['session'], 'url'> & {
  /** The address of the code. A server of an earlier version returns none. */
  readonly url?: string;
  /** The bind cookie, `name=value`, which allows watching the session. Absent in browsers, which store it themselves. */
  readonly cookie?: string;
};

type Cancelled = Reply<'cancelPairingSession'>['session'];
type PairingReply = Reply<'getPairingSession'>;

/** How to show codes until somebody has signed in, and what each session asks for. */
export interface PairingSignIn
  extends Omit<PairingWatch, 'onQr'>,
    Pick<PairingCreateParams, 'context' | 'match' | 'rotate'> {
  /**
   * Shows `qrTextOf(pairing)` as a QR code with the number `pairing.matchCode`, replacing the previous ones. Called again each
   * time the code moves, every 10 seconds. If it throws, the sign-in ends.
   */
  onCode(pairing: Pairing): void | Promise<void>;
  /** How many codes may expire, after 5 minutes each. Default: 12, which is an hour. */
  readonly codes?: number;
}

const DEFAULT_CODES = 12;
/** How often to request a new code while the service is unavailable. Takes a few minutes. */
const MAX_RENEWALS = 40;

/** The desktop's part of a pairing: it shows a code and waits. */
export class PairingDesktop {
  readonly #transport: Transport;
  readonly #query: { readonly environment?: Environment };

  /** `session`: the environment that a page of the service chose. A key has its own. */
  constructor(transport: Transport, session?: Environment) {
    this.#transport = transport;
    this.#query = session === undefined ? {} : { environment: session };
  }

  /**
   * Creates a session, valid for 300 seconds. `qrTextOf` returns the text of its QR code, which moves every 10 seconds; `wait` reports
   * the new ones. `matchCode` is the number to show beside it, which the person types on the phone. `match: 'off'` leaves out both.
   */
  async create(params: PairingCreateParams = {}, options?: RequestOptions): Promise<Pairing> {
    // What a device signed is sent as it is. Its sessions always ask for a number.
    const match = params.device ? 'type' : (params.match ?? 'type');
    const input = { query: this.#query, body: params.device ? params : { ...params, match } };
    const { headers, body } = await this.#transport.send('createPairingSession', input, options);
    const { session } = body as Reply<'createPairingSession'>;
    // An older server ignores what it doesn't know, and the person would be asked for nothing.
    if (match === 'type' && session.matchCode === undefined)
      throw new SvcError(
        'server_too_old',
        'The server ignored that a number was asked for. Upgrade the server, or pass match: "off", with which anybody can relay the code.',
        { operation: ROUTES.createPairingSession.route },
      );
    const cookie = headers.getSetCookie?.().find((text) => text.startsWith('svc_pair_bind='));
    return cookie === undefined ? session : { ...session, cookie: cookie.split(';', 1)[0] as string };
  }

  /** The current state, and the tokens once it is bound. */
  async get(pairing: Pick<Pairing, 'id' | 'cookie'>, options?: RequestOptions): Promise<PairingReply> {
    const input = { path: { id: pairing.id }, query: this.#query };
    const { body } = await this.#transport.send('getPairingSession', input, options, cookieOf(pairing));
    return body as PairingReply;
  }

  /** Ends a session that waits, which becomes `expired`. Has no effect on one that has ended. */
  async cancel(pairing: Pick<Pairing, 'id' | 'cookie'>, options?: RequestOptions): Promise<Cancelled> {
    const input = { path: { id: pairing.id } };
    return (await this.#transport.call('cancelPairingSession', input, options, cookieOf(pairing))).session;
  }

  /**
   * Waits until a phone binds the session, using the event stream, or polling if streams don't work. Reconnects automatically.
   * The callbacks report when the code on the screen moves or can't be used.
   * @throws SvcError `pairing_session_expired` if no phone bound the session in time
   * @throws SvcError `pairing_match_failed` if a wrong number was typed, `pairing_session_closed` if the person declined
   */
  wait(pairing: Pairing, watch: PairingWatch = {}): Promise<BoundPairing> {
    return waitForBind(this.#transport, this.#query, pairing, watch, cookieOf(pairing));
  }

  /** Opens a session and waits until a person signs in. Replaces expired codes with new ones. */
  async signIn(signIn: PairingSignIn): Promise<BoundPairing> {
    const { onCode, codes = DEFAULT_CODES, context, match, rotate, ...watch } = signIn;
    if (typeof onCode !== 'function')
      throw new SvcError('invalid_options', 'signIn needs onCode. Pass a function that displays the code.');
    const params = { context, match, rotate };
    for (let left = codes; ; left--) {
      const pairing =
        left === codes
          ? await this.create(params, { signal: watch.signal })
          : await this.#renew(params, watch);
      const controller = linkedController(watch.signal);
      let shown = Promise.resolve();
      // One after the other, so that a slow onCode never shows an old code last.
      const show = (code: Pairing) => {
        shown = shown.then(() => onCode(code));
        shown.catch((error: unknown) => controller.abort(error));
      };
      show(pairing);
      try {
        const { url: _, ...unmoving } = pairing;
        const onQr = (qrPayload: string, url?: string) =>
          show({ ...unmoving, qrPayload, ...(url !== undefined && { url }) });
        return await this.wait(pairing, { ...watch, onQr, signal: controller.signal });
      } catch (error) {
        const ranOut = error instanceof SvcError && error.code === 'pairing_session_expired';
        if (!ranOut || left <= 1) throw error;
      } finally {
        controller.release();
      }
    }
  }

  /** Replaces an expired code. Retries are safe, because an unused session does no harm. */
  async #renew(params: PairingCreateParams, { onLost, onResumed, signal }: PairingWatch): Promise<Pairing> {
    for (let attempt = 1; ; attempt++) {
      try {
        const pairing = await this.create(params, { signal });
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
    super(transport);
    this.#transport = transport;
  }

  /**
   * Exchanges the return code of a session with `sameDevice` for its tokens, once and within 60 seconds. The code is the fragment
   * of the URL that the phone opened.
   * @throws SvcError `pairing_code_stale` if the code is wrong, used or too old
   */
  redeem(
    pairing: Pick<Pairing, 'id' | 'cookie'>,
    returnCode: string,
    options?: RequestOptions,
  ): Promise<Reply<'redeemPairingSession'>> {
    const input = { path: { id: pairing.id }, body: { returnCode } };
    return this.#transport.call('redeemPairingSession', input, options, cookieOf(pairing));
  }

  /** Whether a code can still be used; needs no key. @throws SvcError `pairing_session_not_found` if it can't */
  getPublic(id: string, options?: RequestOptions): Promise<Reply<'getPublicPairingSession'>> {
    return this.#transport.call('getPublicPairingSession', { path: { id } }, options);
  }

  /** The phone's part with an API key. Scope `proof_pairing:claim`. Without one, use `svc.phone.pairing.submit`. */
  submitProof(
    id: string,
    proof: PairingProofSubmitParams,
    options?: RequestOptions,
  ): Promise<Reply<'submitPairingProof'>> {
    return this.#transport.call('submitPairingProof', { path: { id }, body: submission(proof) }, options);
  }
}

const cookieOf = ({ cookie }: Pick<Pairing, 'cookie'>): Record<string, string> =>
  cookie === undefined ? {} : { cookie };
