import type { Reply, RequestOptions, Transport } from '../transport/transport.js';

/** `svc.sessions`: what a verified person's tokens are good for. Scope `identity:read` throughout. */
export class Sessions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Whose session an access token is. @throws SvcError `invalid_session_token` once it ended or ran out */
  getCurrentIdentity(accessToken: string, options?: RequestOptions): Promise<Reply<'getCurrentIdentity'>> {
    return this.#transport.call('getCurrentIdentity', {}, options, { 'x-session-token': accessToken });
  }

  /**
   * New tokens for a refresh token, which is then spent. Repeated safely for 60 seconds, so that a lost answer does not
   * cost the session.
   * @throws SvcError `invalid_refresh_token`: the person must prove again
   */
  refresh(refreshToken: string, options?: RequestOptions): Promise<Reply<'refreshSession'>> {
    return this.#transport.call('refreshSession', { body: { refreshToken } }, options);
  }

  /** Ends the session at once; of a pairing, the phone's and the desktop's. */
  async logOut(accessToken: string, options?: RequestOptions): Promise<void> {
    await this.#transport.call('logOut', {}, options, { 'x-session-token': accessToken });
  }
}
