import type { InviteMemberParams, LoginSession, Member, MemberUpdateParams } from '../generated/api.js';
import type { Reply, RequestOptions, Transport } from '../transport/transport.js';

/** `svc.console.members`: the people who log in to the account. All but `list` need the role `owner` and a confirmed log-in. */
export class ConsoleMembers {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All members and open invitations, oldest first. */
  async list(options?: RequestOptions): Promise<readonly Member[]> {
    return (await this.#transport.call('consoleListMembers', {}, options)).members;
  }

  /**
   * Invites somebody. The link works once, for seven days, and is returned only here. Inviting the same e-mail again replaces the
   * invitation. @throws SvcError `member_limit_reached`
   */
  invite(member: InviteMemberParams, options?: RequestOptions): Promise<Reply<'consoleInviteMember'>> {
    return this.#transport.call('consoleInviteMember', { body: member }, options);
  }

  /** Changes the role or the name. A role applies immediately. @throws SvcError `last_owner` */
  async update(memberId: string, changes: MemberUpdateParams, options?: RequestOptions): Promise<Member> {
    const input = { path: { memberId }, body: changes };
    return (await this.#transport.call('consoleUpdateMember', input, options)).member;
  }

  /** Removes a member, whose log-ins end immediately, or withdraws an invitation. @throws SvcError `last_owner` */
  async remove(memberId: string, options?: RequestOptions): Promise<Member> {
    return (await this.#transport.call('consoleRemoveMember', { path: { memberId } }, options)).member;
  }
}

/** `svc.console.loginSessions`: one's own log-ins to the console. */
export class ConsoleLoginSessions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Those that have not ended, newest first, at most 100. */
  async list(options?: RequestOptions): Promise<readonly LoginSession[]> {
    return (await this.#transport.call('consoleListLoginSessions', {}, options)).loginSessions;
  }

  /** Ends one. Its token does not work any more. @throws SvcError `session_not_found` */
  async end(loginSessionId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.call('consoleEndLoginSession', { path: { loginSessionId } }, options);
  }
}
