/**
 * Checks receipts of approvals, and what records say, without the service. Separate from the client, so that only those who check receipts load the verifier.
 * Needs WebAssembly and Ed25519 of Web Crypto.
 *
 * @example
 * const verdict = await verifyReceipt(file, { head: keptHead, rows: exportedRows });
 */

export type { ReceiptFaultCode, RecordFaultCode } from './receipts/fault.js';
export type { RecordProof } from './receipts/file/record-proof.js';
export type { ReceiptCheckOptions, TreeHead } from './receipts/options.js';
export { type RecordCheckOptions, type RecordVerdict, verifyRecord } from './receipts/record.js';
export { type ReceiptVerdict, verifyReceipt } from './receipts/verify.js';
