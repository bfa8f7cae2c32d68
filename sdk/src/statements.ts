import { statementDigest as digestOf, readStatement as readStrictly } from '@svc/zk/approvals/statement';
import type { ApprovalStatement } from './generated/api.js';

/** The statement of an approval, if it is one that a phone may show: its shape and its texts are checked. @throws Error */
export const readStatement = (value: unknown): ApprovalStatement => readStrictly(value);

/** What a decision proves: the hex SHA-256 of the statement's canonical JSON. */
export const statementDigest = (statement: ApprovalStatement): string => digestOf(statement);
