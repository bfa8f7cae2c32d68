import type {
  AcceptInvitationParams,
  ApiKey,
  ApiKeyCreateParams,
  ApiKeyPage,
  ApiKeyUpdateParams,
  ConsoleApiKeyListParams,
  ConsoleDeviceCreateParams,
  CreatedApiKey,
  Device,
  EnrollmentCode,
  LogInParams,
  NameConfirmationParams,
  SecurityPolicy,
  SecurityPolicyUpdateParams,
  SignUpParams,
  User,
} from '../generated/api.js';
import type { Environment } from '../transport/options.js';
import type { Received, Reply, RequestOptions, Transport } from '../transport/transport.js';
import { Audit } from './audit.js';
import { ConsoleLoginSessions, ConsoleMembers } from './members.js';
import { listOf, type Pages } from './pages.js';
import { PairingDesktop } from './pairing.js';
import { Registrations } from './registrations.js';

/** `svc.console`: the account itself. All but signing up, joining and logging in needs the client's `consoleToken`. */
export class Console {
  /** API keys, at most ten active ones. */
  readonly keys: ConsoleKeys;
  /** Devices that are enrolled with a code. */
  readonly devices: ConsoleDevices;
  /** The people who log in to the account, and their roles. */
  readonly members: ConsoleMembers;
  /** One's own log-ins to the console. */
  readonly loginSessions: ConsoleLoginSessions;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.keys = new ConsoleKeys(transport);
    this.devices = new ConsoleDevices(transport);
    this.members = new ConsoleMembers(transport);
    this.loginSessions = new ConsoleLoginSessions(transport);
  }

  /** Creates an account and its first live key, which is returned only here. */
  signUp(account: SignUpParams, options?: RequestOptions): Promise<Reply<'consoleSignUp'>> {
    return this.#transport.call('consoleSignUp', { body: account }, options);
  }

  /** A token for 24 hours. @throws SvcError `invalid_credentials` */
  logIn(credentials: LogInParams, options?: RequestOptions): Promise<Reply<'consoleLogIn'>> {
    return this.#transport.call('consoleLogIn', { body: credentials }, options);
  }

  /**
   * Logs in a page of the service itself. The token is set as a cookie that scripts cannot read, for a client with
   * `consoleSession`. @throws SvcError `invalid_credentials`
   */
  openSession(credentials: LogInParams, options?: RequestOptions): Promise<Reply<'consoleOpenSession'>> {
    return this.#transport.call('consoleOpenSession', { body: credentials }, options);
  }

  /**
   * Joins the account of an invitation. `token` is what follows the `#` of its link. Returns a token for 24 hours.
   * @throws SvcError `invitation_not_found`, `weak_password`, `email_already_registered`
   */
  acceptInvitation(
    joining: AcceptInvitationParams,
    options?: RequestOptions,
  ): Promise<Reply<'consoleAcceptInvitation'>> {
    return this.#transport.call('consoleAcceptInvitation', { body: joining }, options);
  }

  /** Confirms that it is you, for the changes that ask for it, until the time returned. @throws SvcError `invalid_credentials` */
  async stepUp(password: string, options?: RequestOptions): Promise<string> {
    return (await this.#transport.call('consoleStepUp', { body: { password } }, options)).until;
  }

  /** Ends every token of the member. */
  async logOut(options?: RequestOptions): Promise<void> {
    await this.#transport.call('consoleLogOut', {}, options);
  }

  /** Plan, status and limits. */
  getAccount(options?: RequestOptions): Promise<Reply<'consoleGetAccount'>> {
    return this.#transport.call('consoleGetAccount', {}, options);
  }

  /** Closes the account: it can be reopened until `closesAt`, then everything of it is deleted. @throws SvcError `invalid_credentials` */
  closeAccount(password: string, options?: RequestOptions): Promise<Reply<'consoleCloseAccount'>> {
    return this.#transport.call('consoleCloseAccount', { body: { password } }, options);
  }

  /** Takes the closing of the account back. @throws SvcError `tenant_inactive` when its time is over */
  reopenAccount(options?: RequestOptions): Promise<Reply<'consoleReopenAccount'>> {
    return this.#transport.call('consoleReopenAccount', {}, options);
  }

  /** How many records a retention time of that many days would delete now. */
  previewRetention(days: number, options?: RequestOptions): Promise<Reply<'consolePreviewRetention'>> {
    return this.#transport.call('consolePreviewRetention', { query: { days } }, options);
  }

  /** Says that the name of a person is right, and how you know. Another name clears it. @throws SvcError `user_not_found`, `user_erased` */
  async confirmName(
    userId: string,
    how: NameConfirmationParams['how'],
    environment: Environment = 'live',
    options?: RequestOptions,
  ): Promise<User> {
    const input = { path: { userId }, query: { environment }, body: { how } };
    return (await this.#transport.call('consoleConfirmName', input, options)).user;
  }

  /** Usage of the plan, and the last fifty calls. */
  getUsage(options?: RequestOptions): Promise<Reply<'consoleGetUsage'>> {
    return this.#transport.call('consoleGetUsage', {}, options);
  }

  /** Pairing of a desktop, for a page of the service itself, with `consoleSession`. */
  pairing(environment: Environment = 'live'): PairingDesktop {
    return new PairingDesktop(this.#transport, environment);
  }

  /** Registrations of an environment, for a page of the service itself, with `consoleSession`. */
  registrations(environment: Environment = 'live'): Pick<Registrations, 'wait'> {
    return new Registrations(this.#transport, environment);
  }

  /** The audit chain of an environment, for a page of the service itself, with `consoleSession`. */
  audit(environment: Environment = 'live'): Audit {
    return new Audit(this.#transport, environment);
  }

  async getSecurityPolicy(options?: RequestOptions): Promise<SecurityPolicy> {
    return (await this.#transport.call('consoleGetSecurityPolicy', {}, options)).security_policy;
  }

  /** Replaces the whole policy. Omitted fields get their defaults. */
  async replaceSecurityPolicy(policy: SecurityPolicy, options?: RequestOptions): Promise<SecurityPolicy> {
    const body = { security_policy: policy };
    return (await this.#transport.call('consoleReplaceSecurityPolicy', { body }, options)).security_policy;
  }

  /** The policy with its version, for `updateSecurityPolicy`. */
  async getVersionedSecurityPolicy(options?: RequestOptions): Promise<VersionedSecurityPolicy> {
    return versionedOf(await this.#transport.send('consoleGetSecurityPolicy', {}, options));
  }

  /**
   * Changes fields of the policy. Omitted ones stay as they are, and null restores a default. `version` is that of the policy you have
   * seen. @throws SvcError `policy_changed` if somebody changed it since
   */
  async updateSecurityPolicy(
    changes: SecurityPolicyUpdateParams['security_policy'],
    version: string,
    options?: RequestOptions,
  ): Promise<VersionedSecurityPolicy> {
    const body = { security_policy: changes };
    const header = { 'if-match': version };
    return versionedOf(await this.#transport.send('consoleUpdateSecurityPolicy', { body }, options, header));
  }
}

/** A security policy as it was at a time. */
export interface VersionedSecurityPolicy {
  readonly policy: SecurityPolicy;
  /** Another policy has another version. */
  readonly version: string;
}

const versionedOf = ({ headers, body }: Received): VersionedSecurityPolicy => ({
  policy: (body as Reply<'consoleGetSecurityPolicy'>).security_policy,
  version: headers.get('etag') ?? '',
});

/** `svc.console.keys` */
export class ConsoleKeys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The secret `key` is returned only here. */
  async create(key: ApiKeyCreateParams, options?: RequestOptions): Promise<CreatedApiKey> {
    return (await this.#transport.call('consoleCreateApiKey', { body: key }, options)).apiKey;
  }

  /** All keys, including revoked ones. Active keys come first, then the newest. */
  list(filter: ConsoleApiKeyListParams = {}, options?: RequestOptions): Pages<ApiKey, ApiKeyPage> {
    return listOf(this.#transport, 'consoleListApiKeys', 'keys', filter, options);
  }

  /**
   * Replaces a key by a new one like it. The old one still works for `graceSeconds`, 0 to 604,800. The secret `key` is returned only
   * here. @throws SvcError `api_key_not_active`
   */
  async rotate(keyId: string, graceSeconds: number, options?: RequestOptions): Promise<CreatedApiKey> {
    const input = { path: { keyId }, body: { graceSeconds } };
    return (await this.#transport.call('consoleRotateApiKey', input, options)).apiKey;
  }

  /**
   * Renames a key, or limits it to networks; an empty list allows all. The reply has a `warning` if your own address is not among
   * them. @throws SvcError `api_key_not_active`
   */
  update(
    keyId: string,
    changes: ApiKeyUpdateParams,
    options?: RequestOptions,
  ): Promise<Reply<'consoleUpdateApiKey'>> {
    return this.#transport.call('consoleUpdateApiKey', { path: { keyId }, body: changes }, options);
  }

  /** Takes effect immediately and can't be undone. */
  async revoke(keyId: string, options?: RequestOptions): Promise<ApiKey> {
    return (await this.#transport.call('consoleRevokeApiKey', { path: { keyId } }, options)).apiKey;
  }
}

/** A device that is not enrolled yet. */
export interface PendingDevice {
  readonly device: Device;
  /** `deeplink` is the text of the QR code. Returned only here. */
  readonly enrollment: EnrollmentCode;
}

/** `svc.console.devices` */
export class ConsoleDevices {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates a device that enrolls itself with a code, valid for 15 minutes. */
  create(
    device: ConsoleDeviceCreateParams,
    environment: Environment = 'live',
    options?: RequestOptions,
  ): Promise<PendingDevice> {
    return this.#transport.call('consoleCreateDevice', { body: device, query: { environment } }, options);
  }

  /** Creates a new code, which replaces the old one. */
  regenerateCode(
    id: string,
    environment: Environment = 'live',
    options?: RequestOptions,
  ): Promise<PendingDevice> {
    const input = { path: { id }, query: { environment } };
    return this.#transport.call('consoleRegenerateDeviceCode', input, options);
  }

  /** Revokes the device and the identities that were created on it. */
  async revoke(id: string, environment: Environment = 'live', options?: RequestOptions): Promise<Device> {
    const input = { path: { id }, query: { environment } };
    return (await this.#transport.call('consoleRevokeDevice', input, options)).device;
  }
}
