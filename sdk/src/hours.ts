/**
 * Checks the file of a month (`GET /v1/attendance/sheets?format=svc-hours`) without the service. Separate from the client, because it
 * includes the verifier.
 */
export { type PersonStore, storeInMemory } from './hours/events.js';
export type { HoursFaultCode, HoursFinding, HoursFindingCode, HoursSubject } from './hours/fault.js';
export type { Pieces } from './hours/lines.js';
export type { ProofVerifier } from './hours/proofs.js';
export type { HoursReport } from './hours/report.js';
export { type HoursCheckOptions, type HoursVerdict, verifyHours } from './hours/verify.js';
