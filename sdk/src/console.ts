import { Audit, auditInConsole } from './audit.js';
import type { ApiKey, CreatedApiKey, Device, EnrollmentCode, SecurityPolicy } from './generated/api.js';
import type { Environment } from './options.js';
import { type ListFilter, listOf, type Pages } from './pages.js';
import { inConsole, PairingDesktop } from './pairing.js';
import type { Body, Reply, RequestOptions, Transport } from './transport.js';

/** `svc.console`: the account itself. All but signing up and logging in needs the client's `consoleToken`. */
export class Console {
  /** API keys: ten active ones at most. */
  readonly keys: ConsoleKeys;
  /** Devices that are enrolled with a code. */
  readonly devices: ConsoleDevices;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.keys = new ConsoleKeys(transport);
    this.devices = new ConsoleDevices(transport);
  }

  /** Makes an account and its first live key, which is shown this once. */
  signUp(
    account: Body<'POST /api/console/signup'>,
    options?: RequestOptions,
  ): Promise<Reply<'POST /api/console/signup'>> {
    return this.#transport.call('POST /api/console/signup', { body: account }, options);
  }

  /** A token for 24 hours. @throws SvcError `invalid_credentials` */
  login(
    credentials: Body<'POST /api/console/login'>,
    options?: RequestOptions,
  ): Promise<Reply<'POST /api/console/login'>> {
    return this.#transport.call('POST /api/console/login', { body: credentials }, options);
  }

  /**
   * Logs a page of the service itself in: the token goes into a cookie that no script can read, for a client with
   * `consoleSession`. @throws SvcError `invalid_credentials`
   */
  openSession(
    credentials: Body<'POST /api/console/session'>,
    options?: RequestOptions,
  ): Promise<Reply<'POST /api/console/session'>> {
    return this.#transport.call('POST /api/console/session', { body: credentials }, options);
  }

  /** Ends every token of the account. */
  async logout(options?: RequestOptions): Promise<void> {
    await this.#transport.call('POST /api/console/logout', {}, options);
  }

  /** Plan, status and limits. */
  account(options?: RequestOptions): Promise<Reply<'GET /api/console/account'>> {
    return this.#transport.call('GET /api/console/account', {}, options);
  }

  /** What was used of the plan, and the last fifty calls. */
  usage(options?: RequestOptions): Promise<Reply<'GET /api/console/usage'>> {
    return this.#transport.call('GET /api/console/usage', {}, options);
  }

  /** Signing a desktop in, by who is logged in to the console. */
  pairing(environment: Environment = 'live'): PairingDesktop {
    return new PairingDesktop(this.#transport, inConsole(environment));
  }

  /** The audit chain of an environment. */
  audit(environment: Environment = 'live'): Audit {
    return new Audit(this.#transport, auditInConsole(environment));
  }

  async securityPolicy(options?: RequestOptions): Promise<SecurityPolicy> {
    return (await this.#transport.call('GET /api/console/security-policy', {}, options)).security_policy;
  }

  /** Replaces the whole policy: what is left out is back at its default. */
  async setSecurityPolicy(policy: SecurityPolicy, options?: RequestOptions): Promise<SecurityPolicy> {
    const body = { security_policy: policy };
    return (await this.#transport.call('PUT /api/console/security-policy', { body }, options))
      .security_policy;
  }
}

/** `svc.console.keys` */
export class ConsoleKeys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The answer's `key` is shown this once. */
  async create(key: Body<'POST /api/console/keys'>, options?: RequestOptions): Promise<CreatedApiKey> {
    return (await this.#transport.call('POST /api/console/keys', { body: key }, options)).apiKey;
  }

  /** All keys, revoked ones included, in one array: active ones first, then newest first. */
  async list(options?: RequestOptions): Promise<readonly ApiKey[]> {
    const keys: ApiKey[] = [];
    for await (const key of this.pages({ limit: 100 }, options)) keys.push(key);
    return keys;
  }

  /** The same keys, fetched page by page as you walk through them. */
  pages(
    filter: ListFilter<'GET /api/console/keys'> = {},
    options?: RequestOptions,
  ): Pages<ApiKey, Reply<'GET /api/console/keys'>> {
    return listOf(this.#transport, 'GET /api/console/keys', 'keys', filter, options);
  }

  /** At once, and for good. */
  async revoke(keyId: string, options?: RequestOptions): Promise<ApiKey> {
    return (await this.#transport.call('DELETE /api/console/keys/{keyId}', { path: { keyId } }, options))
      .apiKey;
  }
}

/** A device that waits for its code. */
export interface PendingDevice {
  readonly device: Device;
  /** `deeplink` is the QR code to show; shown this once. */
  readonly enrollment: EnrollmentCode;
}

/** `svc.console.devices` */
export class ConsoleDevices {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A device that enrolls itself with a code, good for 15 minutes. */
  create(
    device: Body<'POST /api/console/devices'>,
    environment: Environment = 'live',
    options?: RequestOptions,
  ): Promise<PendingDevice> {
    return this.#transport.call(
      'POST /api/console/devices',
      { body: device, query: { environment } },
      options,
    );
  }

  /** A new code in place of the one before. */
  regenerateCode(
    id: string,
    environment: Environment = 'live',
    options?: RequestOptions,
  ): Promise<PendingDevice> {
    const input = { path: { id }, query: { environment } };
    return this.#transport.call('POST /api/console/devices/{id}/regenerate-code', input, options);
  }

  /** Ends the device and the identities that were made on it. */
  async revoke(id: string, environment: Environment = 'live', options?: RequestOptions): Promise<Device> {
    const input = { path: { id }, query: { environment } };
    return (await this.#transport.call('DELETE /api/console/devices/{id}', input, options)).device;
  }
}
