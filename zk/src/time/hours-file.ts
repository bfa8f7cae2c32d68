import type { AuditRow, ReceiptEnrolment, TreeHead } from '../approvals/receipt.js';
import type { Groth16Proof } from '../verifier/proof.js';
import type { CorrectionChange } from './correction.js';
import type { Sheet } from './sheet.js';

/**
 * The file of a month (`format=svc-hours`): lines of JSON, each as `JSON.stringify` writes it, by which anybody checks the hours of a site
 * without the service. Its lines, in this order: the header, corrections, enrolments, leaves of the last closing, the audit chain from the
 * beginning of the month, events that no entry of it has, sheets, the end. docs/hours-file.md describes each field.
 */
export const HOURS_FORMAT = 'svc-hours-1';

export interface HoursHeader {
  readonly format: typeof HOURS_FORMAT;
  readonly issuer: string;
  readonly tenantId: string;
  readonly environment: 'live' | 'test';
  /** Names are the service's word: no signature of anybody else is over them. */
  readonly company: string;
  readonly site: {
    readonly id: string;
    readonly name: string;
    readonly country: string;
    readonly timeZone: string;
  };
  /** YYYY-MM */
  readonly month: string;
  /** Null: everybody's. */
  readonly userId: string | null;
  readonly rules: 'none' | 'DE' | 'ES';
  readonly rulesVersion: number;
  readonly writtenAt: string;
  readonly setup: {
    readonly kind: 'development' | 'ceremony';
    readonly contributors: number;
    readonly vkeySha256: string;
  };
  /** The number of the first entry of the chain that the file has. */
  readonly first: number;
  /** It ends with the last entry that the file has. */
  readonly tree: TreeHead;
  readonly publicKey: string | null;
  /** That the tree extends the one of so many entries that was asked for. */
  readonly consistency?: { readonly from: number; readonly proof: readonly string[] };
}

interface Proved {
  readonly did: string;
  readonly proof: Groth16Proof;
  readonly publicSignals: readonly [string, string, string];
}

/** What the phone proved of a punch. */
export interface HoursPunch extends Proved {
  /** Canonical JSON of `svc-attendance-1`. */
  readonly statement: string;
  readonly circuit: string;
}

/** An attendance event as `GET /v1/attendance` shows it, with what its seal is made of. */
export interface HoursRecord {
  readonly record: Readonly<Record<string, unknown>>;
  readonly n: number | null;
  readonly salts: { readonly facts: string | null; readonly text: string | null } | null;
  readonly T?: string;
  readonly punch?: HoursPunch;
}

export type HoursLine =
  | { readonly correction: HoursCorrection }
  | {
      readonly enrolment: readonly ReceiptEnrolment[];
      readonly did: string;
      readonly rows: readonly IncludedRow[];
    }
  | { readonly leaf: { readonly userId: string; readonly salt: string } }
  | HiddenEntry
  | HoursEntry
  | { readonly unsealed: HoursRecord }
  | HoursSheet
  | { readonly end: HoursEnd };

/** An entry about the month. `record` is the event that it recorded, `userId` the person of one that it voided or that was contested. */
export interface HoursEntry extends Partial<HoursRecord> {
  readonly entry: AuditRow;
  readonly userId?: string;
}

/** An entry of another kind, of another month or of another person. */
export interface HiddenEntry {
  readonly seq: number;
  readonly prevHash: string;
  /** SHA-256 of its canonical JSON, in hex. */
  readonly digest: string;
}

export interface IncludedRow {
  readonly row: AuditRow;
  readonly inclusion: readonly string[];
}

export interface HoursCorrection {
  readonly id: string;
  readonly userId: string;
  readonly state: 'proposed' | 'agreed' | 'contested' | 'unanswered' | 'withdrawn';
  readonly cause: string;
  readonly note: string | null;
  readonly changes: readonly CorrectionChange[];
  readonly correctionSha256: string;
  readonly proposedBy: 'person' | 'member';
  readonly personBy: 'phone' | 'pin' | null;
  readonly createdAt: string;
  /** What the person's phone proved. `provedAt` is its time. */
  readonly proved?: Proved & { readonly statement: string; readonly provedAt: string };
}

export interface HoursSheet {
  readonly sheet: Sheet<number>;
  readonly userId: string;
  readonly name: string;
  readonly employeeCode: string | null;
}

export interface HoursEnd {
  /** How many lines there are before this one. */
  readonly lines: number;
  /** Of the lines before this one (`nextDigest`), in hex. */
  readonly sha256: string;
  readonly keyId: string;
  readonly publicKey: string;
  /** Ed25519 of `hoursMessage`, in hex. */
  readonly signature: string;
}

/** The digest of a file after one more line: SHA-256 of the one before it (nothing at first) and of the SHA-256 of the line, both in hex. */
export const nextDigest = (before: string, line: string, digest: (text: string) => string): string =>
  digest(before + digest(line));

/** What the service signs of a file. */
export const hoursMessage = (
  { tenantId, environment, site, month }: Pick<HoursHeader, 'tenantId' | 'environment' | 'site' | 'month'>,
  { lines, sha256, keyId }: Pick<HoursEnd, 'lines' | 'sha256' | 'keyId'>,
): string => ['svc-hours-file-v1', tenantId, environment, site.id, month, lines, sha256, keyId].join('|');
