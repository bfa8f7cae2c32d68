import { originOf } from '../../codecs/address.js';
import type { ApprovalStatement, DecidedApproval } from '../../generated/api.js';
import type { DecisionChoice } from '../../identity-proofs.js';
import { readStatement } from '../../statements.js';
import { SvcError } from '../../transport/errors.js';
import { withKeyInForce } from '../in-force.js';
import type { PhonePorts, Watch } from '../ports.js';
import type { Identity, Secret } from '../records.js';
import { asPerson, createUse, proveToSend, sendAttested } from '../send.js';

/** What waits for the person of an identity. */
export interface Inbox {
  readonly statements: readonly ApprovalStatement[];
  /** How many can't be shown, because no honest service sends them. */
  readonly unreadable: number;
  /** Reads it again for ten minutes, with `readInboxAgain`. Do not store it. */
  readonly inboxToken: string;
}

/** How many the service lists. */
const MOST = 20;

/** Proves that the phone is its person's, and lists what waits for them. */
export const readInbox = <S extends Secret>(
  phone: PhonePorts<S>,
  id: string,
  watch: Watch = {},
): Promise<Inbox> =>
  asPerson(phone, id, { kind: 'inbox' }, watch, async (proof, identity) => {
    const reply = await phone.service.phone.approvals.list(proof, { signal: watch.signal });
    return { ...checked(phone, identity, reply.approvals), inboxToken: reply.inboxToken };
  });

/** The same by the token, without a proof. @throws SvcError `verification_failed` when it has expired */
export async function readInboxAgain<S extends Secret>(
  phone: PhonePorts<S>,
  identity: Identity<S>,
  inboxToken: string,
  { signal }: Watch = {},
): Promise<Inbox> {
  const approvals = await phone.service.phone.approvals.get(inboxToken, { signal });
  return { ...checked(phone, identity, approvals), inboxToken };
}

function checked<S extends Secret>(
  { service }: PhonePorts<S>,
  identity: Identity<S>,
  approvals: readonly { readonly statement: unknown }[],
) {
  const listed = approvals.slice(0, MOST);
  const statements = listed.flatMap(
    ({ statement }) => checkedStatement(statement, originOf(service.baseUrl), identity) ?? [],
  );
  return { statements, unreadable: listed.length - statements.length };
}

/**
 * The statement of a response if an honest service could have sent it to this identity, and undefined otherwise. The phone checks it
 * again: a text with hidden characters could look like another one.
 */
export function checkedStatement(
  value: unknown,
  issuer: string,
  { tenantId, environment, enrolment }: Pick<Identity<Secret>, 'tenantId' | 'environment' | 'enrolment'>,
): ApprovalStatement | undefined {
  const statement = readOrNothing(value);
  const isOwn =
    statement?.issuer === issuer &&
    statement.tenantId === tenantId &&
    statement.environment === environment &&
    // Registrations from before the service sent this have none.
    (enrolment === undefined || statement.approvers.includes(enrolment.userId));
  return isOwn ? statement : undefined;
}

function readOrNothing(value: unknown): ApprovalStatement | undefined {
  try {
    return readStatement(value);
  } catch {
    return undefined;
  }
}

/** What the person chose, with the number that they typed or the reason that they gave. */
export type Choice = Omit<DecisionChoice, 'decidedAt'>;

/** The service accepts a decision for five minutes. A phone that was offline for longer proves again. */
const MAX_AGE_MS = 4 * 60_000;

/**
 * Approves or declines: proves the decision on the whole statement, as it was shown, and sends it.
 * @throws SvcError `approval_closed` when it has ended, `pairing_match_failed`, `verification_failed`
 */
export function decide<S extends Secret>(
  phone: PhonePorts<S>,
  id: string,
  statement: ApprovalStatement,
  choice: Choice,
  watch: Watch = {},
): Promise<DecidedApproval> {
  const { service } = phone;
  watch.onStage?.('unlocking');
  return withKeyInForce(phone, id, async (version) => {
    const prove = async () => {
      const { timestamp: decidedAt } = await createUse(phone, version, watch);
      if (Date.parse(statement.expiresAt) <= service.serverNow())
        throw new SvcError('approval_closed', 'The approval has expired.');
      const work = { kind: 'decision', statement, choice: { ...choice, decidedAt } } as const;
      return proveToSend(phone, version, work, watch);
    };
    let decision = await prove();
    while (service.serverNow() - Number(decision.decidedAt) > MAX_AGE_MS) decision = await prove();
    const purpose = choice.decision === 'approve' ? 'approve' : 'approve-decline';
    const of = { purpose, subject: decision.approvalId } as const;
    return sendAttested(phone, version, of, decision, watch, (attestation) =>
      service.phone.approvals.decide({ ...decision, attestation }, { signal: watch.signal }),
    );
  });
}
