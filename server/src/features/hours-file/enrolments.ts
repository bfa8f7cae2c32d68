import type { AuditRow, TreeHead } from '@svc/zk/approvals/receipt';
import { commitmentToHex } from '@svc/zk/field';
import type { HoursCorrection, HoursLine } from '@svc/zk/time/hours-file';
import type { Deps } from '../../http/deps.js';
import { listEventsAt } from '../../ledger/read-events.js';
import type { Read } from '../../ledger/write.js';
import { inclusionOf, serializeEvent } from '../audit/audit.js';
import { traceEnrolment } from '../identities/identities.js';
import { listProvers } from '../punches/punches.js';
import type { HoursOf } from './month.js';
import type { AsOfTree } from './since.js';

/** Enrolments of which each authorized the one before. More are cut off: the last then rests on the operator's word. */
const MOST = 16;

/** A phone's identity, by whose proofs events or corrections are in the file. */
interface Prover {
  readonly did: string;
  readonly commitment: string;
  readonly userId: string;
}

interface Context {
  readonly deps: Pick<Deps, 'log'>;
  readonly read: Read;
  readonly asOfTree: AsOfTree;
}

/**
 * What put the identities in force that have proved something in the file. Nothing is left of those of erased people.
 * @throws if somebody was erased after the tree: the file could not say what has become of their phone
 */
export async function* enrolmentsOf(
  { deps, read, asOfTree }: Context,
  of: HoursOf,
  decided: readonly HoursCorrection[],
  tree: TreeHead,
): AsyncGenerator<HoursLine> {
  const { site, range, userId: asked } = of;
  const punched = (await listProvers(read, site.id, range.around))
    .filter(({ user_id: id }) => asked === undefined || id === asked)
    .map(({ did, commitment, user_id: userId }) => ({ did, commitment, userId }));
  const corrected = decided.flatMap(({ proved, userId }) =>
    proved ? [{ did: proved.did, commitment: proved.publicSignals[0], userId }] : [],
  );
  const provers = new Map<string, Prover>(
    [...punched, ...corrected].map((prover) => [`${prover.did} ${prover.commitment}`, prover]),
  );
  for (const { did, commitment, userId } of provers.values()) {
    const hex = commitmentToHex(BigInt(commitment));
    const enrolment = await traceEnrolment(deps, read, { did, commitment: hex }, MOST);
    if (enrolment === undefined) {
      if ((await asOfTree()).erased.has(userId))
        throw new Error('Somebody was erased while their hours were written');
      continue;
    }
    const seqs = enrolment.map(({ seq }) => seq);
    // Everything that it has proved is newer too.
    if (seqs.some((seq) => seq > tree.size)) continue;
    const events = await listEventsAt(read, seqs);
    const rows = [...events.values()].map(async (row) => ({
      row: serializeEvent(row) as AuditRow,
      inclusion: await inclusionOf(read, row.seq, tree.size),
    }));
    yield { enrolment, did, rows: await Promise.all(rows) };
  }
}
