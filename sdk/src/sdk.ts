/**
 * The client of the identity verification service, for Node 20 and later, browsers and edge runtimes.
 *
 * @example
 * const svc = new Svc({ baseUrl: 'https://identity.example.com', apiKey });
 * for await (const device of svc.devices.list({ status: 'active' })) console.log(device.name);
 */

export {
  type AuditCheckOptions,
  type AuditExportEnd,
  type AuditFault,
  type AuditVerdict,
  verifyAuditChain,
  verifySignedHead,
} from './codecs/audit-chain.js';
export { type CodeToShow, qrTextOf, readShortCode, type ShortCode } from './codecs/code-url.js';
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
export { SvcDevice } from './device.js';
export type * from './generated/api.js';
export { CONTRACT_VERSION } from './generated/api.js';
export type { ErrorCode } from './generated/errors.js';
export type { EventType } from './generated/event-types.js';
export type { FailureReason } from './generated/failure-reasons.js';
export { finishSignInHosted } from './hosted/finish.js';
export { type HostedResult, type HostedSignIn, signInHosted } from './hosted/sign-in.js';
export type { HostedClaims, HostedTokens } from './hosted/tokens.js';
export { SvcRequests } from './requests.js';
export {
  type AttendanceCodeWatch,
  type Punch,
  type ShownAttendanceCode,
  watchAttendanceCode,
} from './resources/attendance-code.js';
export type { VersionedSecurityPolicy } from './resources/console.js';
export { type EventFault, EventGapError, positionOf, verifyEventHash } from './resources/event-chain.js';
export type { EventQuery, EventReadOptions, EventSelection } from './resources/event-reader.js';
export type { EventStreamOptions } from './resources/event-stream.js';
export type { Pages } from './resources/pages.js';
export type { Pairing, PairingDesktop, PairingSignIn } from './resources/pairing.js';
export type { BoundPairing, PairingWatch } from './resources/pairing-watch.js';
export {
  exportRecords,
  type RecordExportEnd,
  type SealedPageLine,
  type SealedRecord,
} from './resources/record-export.js';
export type { RegistrationWatch } from './resources/registration-watch.js';
export type { CeremonyPhone, CeremonyResult, RegistrationChallenge } from './resources/registrations.js';
export type { UserExport } from './resources/user-export.js';
export type { NewInspection } from './resources/working-time.js';
export { SvcStaff } from './staff.js';
export { Svc } from './svc.js';
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
