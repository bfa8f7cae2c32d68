/**
 * A phone, without its storage, its prover and its screen: those are ports. Runs in browsers, in Node, and in engines without a DOM.
 *
 * @example
 * const phone = { service: phoneService({ baseUrl }), vault, prover };
 * const { sessionId } = await startRegistration(phone, link);
 * const identity = await register(phone, sessionId, { onStage: (stage) => show(stage) });
 */

export { readAccountName } from './phone/account-name.js';
export {
  type Added,
  add,
  type Invitation,
  invite,
  type Meeting,
  type Met,
  meet,
  uninvite,
} from './phone/acts/add.js';
export {
  type Choice,
  checkedStatement,
  decide,
  type Inbox,
  readInbox,
  readInboxAgain,
} from './phone/acts/approvals.js';
export { attest, canAttest } from './phone/acts/attest.js';
export { awaitAdded, discardJoining, join, openIdentity, unfinishedJoinings } from './phone/acts/join.js';
export {
  type Approvable,
  type Approved,
  approvePairing,
  declinePairing,
  findForCode,
  NewBrowserRefused,
  nearestIdentity,
  type PairingDecision,
} from './phone/acts/pair.js';
export {
  type Browsers,
  contest,
  forgetBrowser,
  type Phones,
  type Recovery,
  readBrowsers,
  readPhones,
} from './phone/acts/person.js';
export {
  commitRegistration,
  discardRegistration,
  type Registered,
  type RegistrationLink,
  register,
  registrationsIn,
  startRegistration,
} from './phone/acts/register.js';
export { forgetIdentity, revoke } from './phone/acts/revoke.js';
export { rotate } from './phone/acts/rotate.js';
export { verify } from './phone/acts/verify.js';
export { isFinal } from './phone/final.js';
export type {
  AttestationKeys,
  CompanyFacts,
  MadeKey,
  PhonePorts,
  PhoneProver,
  Stage,
  Vault,
  Watch,
} from './phone/ports.js';
export {
  applyChanges,
  type Brand,
  type Change,
  type Company,
  type Enrolment,
  type Found,
  type Identity,
  isSamePlace,
  type Joined,
  type Joining,
  type Logo,
  NOTHING_STORED,
  type Opening,
  type Place,
  type Registration,
  replacingOlder,
  type Secret,
  type Stored,
} from './phone/records.js';
export { AttestationNotAccepted, NoAttestationKey } from './phone/send.js';
export { type PhoneService, type PhoneServiceOptions, phoneService } from './phone/service.js';
export { type ProofWork, type ProverStage, proveWork, type Results } from './phone/work.js';
