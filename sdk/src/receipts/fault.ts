/** Why a receipt is not accepted. docs/receipts.md explains each code. */
export type ReceiptFaultCode =
  | 'malformed'
  | 'statement_invalid'
  | 'setup_unknown'
  | 'setup_forgeable'
  | 'enrolment_wrong'
  | 'authorization_wrong'
  | 'binding_wrong'
  | 'decision_invalid'
  | 'person_twice'
  | 'quorum_missing'
  | 'outcome_wrong'
  | 'row_altered'
  | 'row_missing'
  | 'row_unproven'
  | 'tree_wrong'
  | 'key_unknown'
  | 'signature_wrong'
  | 'signature_unsupported'
  | 'export_wrong'
  | 'kept_head_differs'
  | 'not_covered'
  | 'not_in_force'
  | 'proof_invalid';

/** Why a record is not accepted. docs/audit.md explains each code. */
export type RecordFaultCode =
  | Extract<
      ReceiptFaultCode,
      | 'malformed'
      | 'not_covered'
      | 'row_altered'
      | 'row_unproven'
      | 'tree_wrong'
      | 'key_unknown'
      | 'signature_wrong'
      | 'signature_unsupported'
      | 'kept_head_differs'
    >
  | 'record_changed'
  | 'record_unknown'
  | 'record_resealed'
  | 'salt_missing';

type Code = ReceiptFaultCode | RecordFaultCode;

/** The first fault of a receipt, or of a record. The message is a sentence. */
export class ReceiptFault extends Error {
  override readonly name = 'ReceiptFault';
  readonly code: Code;
  constructor(code: Code, message: string) {
    super(message);
    this.code = code;
  }
}

/** @throws ReceiptFault unless the condition holds */
export function ensure(condition: boolean, code: Code, message: string): asserts condition {
  if (!condition) throw new ReceiptFault(code, message);
}
