import type { SvcDevice } from './device.js';
import type {
  Attendance,
  FoundPerson,
  StaffDeclareParams,
  StaffRegistrationParams,
  StaffSession,
  StaffSessionParams,
} from './generated/api.js';
import { transportOf } from './requests.js';
import { SvcError } from './transport/errors.js';
import type { Input, OperationName, Reply, RequestOptions } from './transport/transport.js';

/**
 * A member who acts at a desk for ten minutes. It ends after two minutes without a request, and when somebody begins to register or to sign
 * in at the desk: then each method throws a `SvcError` `staff_session_invalid`.
 */
export class SvcStaff {
  readonly member: StaffSession['member'];
  /** By the service's clock, in Unix milliseconds. */
  readonly endsAt: number;
  /** Seconds without a request after which it ends. */
  readonly idleSeconds: number;
  readonly #desk: SvcDevice;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(desk: SvcDevice, { token, expiresIn, idleSeconds, member }: StaffSession) {
    this.#desk = desk;
    this.#headers = { authorization: `Bearer ${token}`, 'x-device-session': deviceTokenOf(desk) };
    this.member = member;
    this.idleSeconds = idleSeconds;
    this.endsAt = desk.serverNow() + expiresIn * 1000;
  }

  /**
   * Begins it. The desk has the session of a device, as its `deviceToken`. A member shows who they are by a passkey, or by e-mail and password.
   * @throws SvcError `invalid_credentials`, or `role_insufficient` for a member who may not act at a desk
   */
  static async start(
    desk: SvcDevice,
    logIn: StaffSessionParams,
    options?: RequestOptions,
  ): Promise<SvcStaff> {
    const headers = { authorization: `Bearer ${deviceTokenOf(desk)}` };
    const input = { body: logIn };
    return new SvcStaff(desk, await transportOf(desk).call('startStaffSession', input, options, headers));
  }

  /** Finds people by whole words of their name, with at least three letters. At most ten, and 20 searches in ten minutes at each desk. */
  async findPeople(name: string, options?: RequestOptions): Promise<readonly FoundPerson[]> {
    return (await this.#call('findPeopleAtDesk', { query: { q: name } }, options)).people;
  }

  /**
   * Registers a known person (`userId`) or a new one (`profile`), and confirms their name. For somebody who had a phone it asks for a recovery, which
   * an owner confirms. Follow it with `desk.registrations.wait(session.id)`. @throws SvcError `user_not_found`, `identity_limit_reached`
   */
  register(person: StaffRegistrationParams, options?: RequestOptions): Promise<Reply<'registerAtDesk'>> {
    return this.#call('registerAtDesk', { body: person }, options);
  }

  /** Locks a phone: nobody can sign in with it any more. @throws SvcError `identity_not_found` */
  async lockPhone(did: string, options?: RequestOptions): Promise<Reply<'lockPhoneAtDesk'>['identity']> {
    return (await this.#call('lockPhoneAtDesk', { body: { did } }, options)).identity;
  }

  /** Clocks a person in or out who stands beside the member. @throws SvcError `user_not_found` */
  async clock(params: StaffDeclareParams, options?: RequestOptions): Promise<Attendance> {
    return (await this.#call('declareAtDesk', { body: params }, options)).attendance;
  }

  /** Gives a person a PIN, which has to be changed at its first use. It can't be read again. @throws SvcError `user_not_found` */
  async drawPin(userId: string, options?: RequestOptions): Promise<string> {
    return (await this.#call('drawPinAtDesk', { body: { userId } }, options)).pin;
  }

  /** Who is present. */
  presence(options?: RequestOptions): Promise<Reply<'getPresenceAtDesk'>> {
    return this.#call('getPresenceAtDesk', {}, options);
  }

  /** Ends it. */
  async end(options?: RequestOptions): Promise<void> {
    await this.#call('endStaffSession', {}, options);
  }

  #call<O extends OperationName>(name: O, input: Input<O>, options?: RequestOptions): Promise<Reply<O>> {
    return transportOf(this.#desk).call(name, input, options, this.#headers);
  }
}

function deviceTokenOf(desk: SvcDevice): string {
  const { deviceToken } = transportOf(desk).settings;
  if (deviceToken !== undefined) return deviceToken;
  throw new SvcError('invalid_options', 'The desk has no deviceToken. Open one with svc.devices.session.');
}
