import type { AuditRow, Receipt } from '@svc/zk/approvals/receipt';
import type { ReadExport } from './chain/export.js';
import type { KeptHead } from './chain/kept.js';
import type { Decided } from './decisions.js';
import type { Findings } from './findings.js';

interface Facts {
  readonly receipt: Receipt;
  readonly digest: string;
  readonly decided: readonly Decided[];
  readonly outcome: AuditRow | undefined;
  readonly kept: KeptHead | undefined;
  readonly exported: ReadExport | undefined;
  readonly wasInForce: boolean;
  readonly acceptOperatorEnrolment: boolean;
}

export function report(facts: Facts): Findings {
  const { statement } = facts.receipt;
  const code = facts.wasInForce ? 'valid' : 'in_force_unchecked';
  return { code, statement, checked: checked(facts), notChecked: notChecked(facts), restsOn: restsOn(facts) };
}

function checked({ receipt, digest, decided, kept, exported, wasInForce, ...facts }: Facts): string[] {
  const { statement, chain, tree, outcome } = receipt;
  const where = tree === null ? 'the export' : `the signed tree of ${tree.size} rows`;
  return [
    `The statement has the digest ${digest}.`,
    ...decided.map(sentenceOf),
    `${statement.required} of ${statement.approvers.length} people had to approve. The approval is ${outcome}.`,
    `The ${chain.length} rows of the audit chain are in ${where}.`,
    ...(kept && decided.length > 0 && !facts.acceptOperatorEnrolment
      ? [`Each identity goes back to a row at or before row ${kept.seq}, the head that was kept.`]
      : []),
    ...(exported ? [`The export of ${exported.seq} rows is whole, and ${coverageOf(exported, chain)}.`] : []),
    ...(wasInForce && decided.length > 0 ? ['Each identity was in force when it was used.'] : []),
  ];
}

const coverageOf = ({ seq }: ReadExport, chain: Receipt['chain']): string =>
  chain.every(({ row }) => row.seq <= seq) ? 'contains them' : 'ends before the newest of them';

const sentenceOf = ({ userId, decision: { decision, decidedAt, matchCode, reason } }: Decided): string => {
  const verb = decision === 'approve' ? 'approved' : 'declined';
  const number = matchCode === undefined ? '' : ` with the number ${matchCode}`;
  const because = reason === undefined ? '' : ` with the reason ${reason}`;
  return `${userId} ${verb} this statement${number}${because} at ${decidedAt}, by a valid proof of their phone.`;
};

function notChecked({ decided, wasInForce, outcome, receipt, exported }: Facts): string[] {
  return [
    ...(wasInForce || decided.length === 0 ? [] : ['not checked: that the identity was still in force.']),
    ...(outcome === undefined ? ['not checked: that the service ended the approval.'] : []),
    ...(exported === undefined && receipt.outcome === 'approved'
      ? ['not checked: whether the approval was used later.']
      : []),
  ];
}

function restsOn({ receipt, kept, acceptOperatorEnrolment }: Facts): string[] {
  const { kind, contributors } = receipt.setup;
  return [
    acceptOperatorEnrolment || kept === undefined
      ? 'It rests on the operator’s word that the identities belong to these people.'
      : `It rests on the head at row ${kept.seq}, which was kept from before.`,
    kind === 'ceremony'
      ? `It rests on the verification keys of a ceremony with ${contributors} contributors, of whom one was honest.`
      : 'It rests on development keys, whose maker can forge proofs.',
    'It rests on phones that show what they sign.',
    'The outcome, its order and its use rest on the head of the receipt, which the service signed.',
  ];
}
