import { fail } from '../base/errors.js';
import type { Row, Transaction } from '../db/db.js';
import { rollbackTo, type Sql, savepoint } from '../db/sql.js';
import { chainName, lockFreeHeads, lockHead, type Scope } from './audit-store.js';
import { claimIdempotency } from './idempotency.js';
import type { Member, Step } from './pending-write.js';
import { type ChainDeps, createChains } from './write-chains.js';

/** A member in the transaction, with the number of its savepoint. */
interface Place {
  readonly member: Member;
  readonly number: number;
  /** Some of its statements were answered: they stay, and it goes on behind the same savepoint. */
  begun: boolean;
}

/**
 * Commits several writes in one transaction, each as if it came after the one before it: what fails leaves nothing, and
 * holds nobody back. The statements of all leave together, each member's behind a savepoint, in the hope that none needs
 * more than one batch. The answers are taken in their order: who fails, or asks for more, undoes what was sent for those
 * after it, and that is sent again. Nobody is answered before the commit.
 *
 * Writes of one chain wait for its head. Writes of several wait for none, so that no chain can hold another back: those
 * whose head somebody else holds are handed back unbegun. Never throws.
 */
export async function commitTogether(
  deps: ChainDeps,
  tx: Transaction,
  members: readonly Member[],
): Promise<readonly Member[]> {
  const now = deps.clock.now();
  const opening = createOpening(members, now);
  const chains = createChains(deps, async (scope) => (await tx.send([lockHead(scope)])).rows[0]?.[0]);
  const committing: Member[] = [];
  const failing: { readonly member: Member; readonly error: unknown }[] = [];
  const askedAt = performance.now();
  const hold = (rows: readonly Row[][]) => {
    deps.chainWait?.((performance.now() - askedAt) / 1000);
    chains.begin(opening.read(rows));
  };
  let here = members;
  let first = opening.statements;
  try {
    if (opening.scopes.length > 1) {
      const { rows, failure } = await tx.send(first);
      if (failure !== undefined) throw failure;
      first = [];
      hold(rows);
      here = members.filter(({ request }) => chains.has(request.scope));
    }
    for (const member of here) member.start(now);
    let places: Place[] = here.map((member, number) => ({ member, number, begun: false }));
    while (places.length > 0) {
      const round = await nextRound(places, here.length > 1);
      const { rows, failure } = await tx.send([...first, ...round.statements]);
      // Without the head or the way back nobody can go on.
      if (rows.length < first.length) throw failure;
      if (first === opening.statements) hold(rows);
      const answers = rows.slice(first.length);
      first = [];

      let taken = 0;
      for (const { place, step: asked, from, to } of round.parts) {
        const { member } = place;
        if (asked.is === 'asking')
          member.answer(answers.slice(from, to), answers.length < to ? failure : undefined);
        const step = asked.is === 'asking' ? await member.next() : asked;
        if (step.is === 'asking') {
          place.begun = true;
          const next = round.parts.slice(taken + 1).find((part) => part.from < part.to);
          if (next) first = [rollbackTo(next.place.number)];
          break;
        }
        taken += 1;
        try {
          if (opening.isKeyTaken(member)) fail('idempotency_key_in_use');
          if (step.is === 'failed') throw step.error;
          if (opening.isRefused(member)) member.request.credential?.refuse();
          await chains.append(member.request, step.entries);
          committing.push(member);
        } catch (error) {
          failing.push({ member, error });
          if (place.begun || from < to) {
            first = [rollbackTo(place.number)];
            break;
          }
        }
      }
      places = places.slice(taken);
    }
    if (committing.length === 0) await tx.rollback();
    else await tx.commit([...first, ...chains.statements()]);
    for (const member of committing) member.resolve();
    for (const { member, error } of failing) member.reject(error);
  } catch (error) {
    await tx.rollback();
    for (const member of here) member.reject(error);
  }
  return members.filter((member) => !here.includes(member));
}

interface Part {
  readonly place: Place;
  readonly step: Step;
  /** Its statements within the round's; none when it asks for none. */
  readonly from: number;
  readonly to: number;
}

/** What all of them do next, and the statements of those that ask. */
async function nextRound(places: readonly Place[], isShared: boolean) {
  const steps = await Promise.all(places.map(({ member }) => member.next()));
  const statements: Sql[] = [];
  const parts = places.map((place, at): Part => {
    const step = steps[at] as Step;
    const asked = step.is === 'asking' ? step.statements : [];
    if (isShared && asked.length > 0 && !place.begun) statements.push(savepoint(place.number));
    const from = statements.length;
    return { place, step, from, to: statements.push(...asked) };
  });
  return { statements, parts };
}

/** What comes before all members: their Idempotency-Keys, their chains' heads, and their credentials. */
function createOpening(members: readonly Member[], now: number) {
  const scopes = [...new Map(members.map(({ request: { scope } }) => [chainName(scope), scope])).values()];
  const claimants = members.filter(({ request }) => request.idempotency !== undefined);
  const claims = claimants.flatMap(({ request: { scope, idempotency } }) =>
    idempotency ? [claimIdempotency(scope, idempotency)] : [],
  );
  // Callers of one moment mostly share a credential, which is then judged once.
  const credentials = new Map<string, Sql>();
  const credentialOf = new Map<Member, string>();
  for (const member of members) {
    const statement = member.request.credential?.stillGood(now);
    if (statement === undefined) continue;
    const name = JSON.stringify(statement);
    credentialOf.set(member, name);
    credentials.set(name, statement);
  }
  const taken = new Set<Member>();
  const refused = new Set<string>();
  const lock = scopes.length === 1 ? lockHead(scopes[0] as Scope) : lockFreeHeads(scopes);
  return {
    scopes,
    statements: [...claims, lock, ...credentials.values()] as readonly Sql[],
    /** Answers the rows of the heads that are locked now. */
    read(rows: readonly Row[][]): readonly Row[] {
      claimants.forEach((member, at) => {
        if (!rows[at]?.[0]?.free) taken.add(member);
      });
      [...credentials.keys()].forEach((name, at) => {
        if (rows[claims.length + 1 + at]?.length === 0) refused.add(name);
      });
      return rows[claims.length] ?? [];
    },
    isKeyTaken: (member: Member) => taken.has(member),
    isRefused: (member: Member) => refused.has(credentialOf.get(member) ?? ''),
  };
}
