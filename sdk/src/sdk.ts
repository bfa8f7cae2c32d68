/**
 * The client of the identity verification service, for Node 20 and later, browsers and edge runtimes.
 *
 * @example
 * const svc = new Svc({ baseUrl: 'https://identity.example.com', apiKey });
 * for await (const device of svc.devices.list({ status: 'active' })) console.log(device.name);
 */

import type { Health, Profile } from './generated/api.js';
import { Approvals } from './resources/approvals.js';
import { AttendanceEvents } from './resources/attendance.js';
import { Audit } from './resources/audit.js';
import { Console } from './resources/console.js';
import { Devices } from './resources/devices.js';
import { Events } from './resources/events.js';
import { Identity } from './resources/identity.js';
import { PairingSessions } from './resources/pairing.js';
import { Phone } from './resources/phone/phone.js';
import { Recoveries } from './resources/recoveries.js';
import { Registrations } from './resources/registrations.js';
import { Sessions } from './resources/sessions.js';
import { Users } from './resources/users.js';
import { Verifications } from './resources/verifications.js';
import { Webhooks } from './resources/webhooks.js';
import { type Environment, readOptions, type SvcOptions } from './transport/options.js';
import {
  type Input,
  type OperationName,
  type Reply,
  type RequestOptions,
  Transport,
} from './transport/transport.js';

export {
  type AuditCheckOptions,
  type AuditExportEnd,
  type AuditFault,
  type AuditVerdict,
  verifyAuditChain,
  verifySignedHead,
} from './codecs/audit-chain.js';
export { type CodeToShow, qrTextOf } from './codecs/code-url.js';
export { type Deeplink, formatDeeplink, parseDeeplink } from './codecs/deeplink.js';
export { createDeviceKey, type DeviceKey, type DeviceSigner, publicKeyOf } from './codecs/device-key.js';
export {
  type EnrolledAt,
  formatPairingCode,
  type PairingCode,
  type PairingScan,
  parsePairingCode,
  readPairingCode,
} from './codecs/pairing-code.js';
export { decodeRawScan, encodeRawScan, type RawScan } from './codecs/raw-scan.js';
export {
  signWebhook,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookVerifyOptions,
} from './codecs/webhook.js';
export type {
  EventData,
  TestData,
  ThrottledData,
  WebhookEvent,
} from './codecs/webhook-event.js';
export { type WebhookFault, WebhookVerificationError } from './codecs/webhook-keys.js';
export type * from './generated/api.js';
export { CONTRACT_VERSION } from './generated/api.js';
export type { ErrorCode } from './generated/errors.js';
export type { EventType } from './generated/event-types.js';
export type { FailureReason } from './generated/failure-reasons.js';
export { finishSignInHosted } from './hosted/finish.js';
export { type HostedResult, type HostedSignIn, signInHosted } from './hosted/sign-in.js';
export type { HostedClaims, HostedTokens } from './hosted/tokens.js';
export type { VersionedSecurityPolicy } from './resources/console.js';
export { type EventFault, EventGapError, positionOf, verifyEventHash } from './resources/event-chain.js';
export type { EventQuery, EventReadOptions, EventSelection } from './resources/event-reader.js';
export type { EventStreamOptions } from './resources/event-stream.js';
export type { Pages } from './resources/pages.js';
export type { Pairing, PairingDesktop, PairingSignIn } from './resources/pairing.js';
export type { BoundPairing, PairingWatch } from './resources/pairing-watch.js';
export type { CeremonyPhone, CeremonyResult, RegistrationChallenge } from './resources/registrations.js';
export type { UserExport } from './resources/user-export.js';
export {
  type ClientErrorCode,
  isSvcError,
  SvcError,
  type SvcErrorCode,
  type SvcErrorFacts,
} from './transport/errors.js';
export type { Environment, SvcOptions } from './transport/options.js';
export type { Timing } from './transport/timing.js';
export type { RequestOptions } from './transport/transport.js';

/** A client for one account. Cheap to create; use one per key. */
export class Svc {
  readonly approvals: Approvals;
  readonly attendance: AttendanceEvents;
  readonly audit: Audit;
  readonly console: Console;
  readonly devices: Devices;
  readonly events: Events;
  readonly identity: Identity;
  readonly pairing: PairingSessions;
  readonly phone: Phone;
  readonly recoveries: Recoveries;
  readonly registrations: Registrations;
  readonly sessions: Sessions;
  readonly users: Users;
  readonly verifications: Verifications;
  readonly webhooks: Webhooks;
  readonly #transport: Transport;

  /** Sends nothing. @throws SvcError `invalid_options`, which names the option */
  constructor(options: SvcOptions) {
    const transport = new Transport(readOptions(options));
    this.#transport = transport;
    this.approvals = new Approvals(transport);
    this.attendance = new AttendanceEvents(transport);
    this.audit = new Audit(transport);
    this.console = new Console(transport);
    this.devices = new Devices(transport);
    this.events = new Events(transport);
    this.identity = new Identity(transport);
    this.pairing = new PairingSessions(transport);
    this.phone = new Phone(transport);
    this.recoveries = new Recoveries(transport);
    this.registrations = new Registrations(transport);
    this.sessions = new Sessions(transport);
    this.users = new Users(transport);
    this.verifications = new Verifications(transport);
    this.webhooks = new Webhooks(transport);
  }

  /** The service's address, without a trailing slash. */
  get baseUrl(): string {
    return this.#transport.settings.baseUrl;
  }

  /** The key's environment; undefined without a key. */
  get environment(): Environment | undefined {
    return this.#transport.settings.environment;
  }

  /** The service's time in Unix milliseconds, based on its last response. Use it for deadlines. */
  serverNow(): number {
    return this.#transport.serverNow();
  }

  /** The service's health. Needs no key. */
  getHealth(options?: RequestOptions): Promise<Health> {
    return this.#transport.call('getHealth', {}, options);
  }

  /** The name, accent color and logo of the company, for what you show people. Scope `devices:read`, or a device's session. */
  async getProfile(options?: RequestOptions): Promise<Profile> {
    return (await this.#transport.call('getProfile', {}, options)).profile;
  }

  /** Sends any operation by its `operationId`, for operations without a method. */
  request<O extends OperationName>(name: O, input: Input<O>, options?: RequestOptions): Promise<Reply<O>> {
    return this.#transport.call(name, input, options);
  }

  /** Downloads a public file by a path from the service, such as `getCircuitInfo().wasmPath`. */
  download(path: string, options?: RequestOptions): Promise<Uint8Array> {
    return this.#transport.download(path, options);
  }
}
