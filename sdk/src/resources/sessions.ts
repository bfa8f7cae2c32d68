import type { Reply, RequestOptions, Transport } from '../transport/transport.js';

/** `svc.sessions`: sessions of verified people. All methods need the scope `identity:read`, except `end`. */
export class Sessions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The person of an access token. @throws SvcError `invalid_session_token` after the session ended or the token expired */
  getCurrentIdentity(accessToken: string, options?: RequestOptions): Promise<Reply<'getCurrentIdentity'>> {
    return this.#transport.call('getCurrentIdentity', {}, options, { 'x-session-token': accessToken });
  }

  /**
   * Exchanges a refresh token, which can be used once, for new tokens. Retried safely for 60 seconds, so a lost response
   * doesn't end the session.
   * @throws SvcError `invalid_refresh_token`: the person must prove again
   */
  refresh(refreshToken: string, options?: RequestOptions): Promise<Reply<'refreshSession'>> {
    return this.#transport.call('refreshSession', { body: { refreshToken } }, options);
  }

  /** Ends the session immediately. For a pairing, this ends the phone's and the desktop's. */
  async logOut(accessToken: string, options?: RequestOptions): Promise<void> {
    await this.#transport.call('logOut', {}, options, { 'x-session-token': accessToken });
  }

  /** Ends a person's session by its id, without its token. Has no effect on one that has ended. Scope `zkp:register`. */
  async end(id: string, options?: RequestOptions): Promise<Reply<'endSession'>['session']> {
    return (await this.#transport.call('endSession', { path: { id } }, options)).session;
  }
}
