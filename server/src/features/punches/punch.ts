import { canonicalJson } from '@svc/zk/approvals/canonical-json';
import { attendBind } from '@svc/zk/field';
import { type AttendanceStatement, attendanceDigest } from '@svc/zk/time/statement';
import type { Static } from 'typebox';
import { catchError, fail } from '../../base/errors.js';
import { sharedReads } from '../../db/shared-reads.js';
import type { Deps } from '../../http/deps.js';
import type { BaseContext } from '../../http/route.js';
import { signHead } from '../../ledger/audit-chain.js';
import { type Read, reader, type Write } from '../../ledger/write.js';
import { canonicalDid } from '../../model/did.js';
import { iso } from '../../records/schema.js';
import { findStored } from '../../records/seals/sealed-rows.js';
import { insertProved, numberIn, sealedAttendance } from '../attendance/attendance.js';
import { serializeEvent } from '../audit/audit.js';
import { type Claim, decide, type Proved, phoneOf, prove, reject } from '../proofs/proofs.js';
import { findSite, type SiteRow } from '../sites/sites.js';
import {
  isOnNetwork,
  type Minted,
  type Place,
  placeOf,
  REPEAT_MS,
  readTicket,
  SUBMIT_MS,
} from './context.js';
import { isNameKnown } from './known-names.js';
import type { PunchBody } from './punches.schema.js';
import * as store from './punches.store.js';

type Context = Pick<BaseContext, 'deps' | 'address' | 'ip'>;
type Input = Static<typeof PunchBody>;

/** What the phone proved, as the service builds it from what the phone sent and the ticket. */
const statementOf = (
  { config }: Pick<Deps, 'config'>,
  { scope, mode, scannedAt }: Minted,
  { company, place }: Place,
  { type, reason = 'work', activity = null, contract = null, nonce }: Input,
): AttendanceStatement => ({
  ...{ v: 1, issuer: config.baseUrl, tenant: scope.tenantId, environment: scope.environment, company },
  ...{ type, reason, activity, contract, mode, place, scannedAt: iso(scannedAt) },
  nonce: nonce.toLowerCase(),
});

const NOWHERE: Place = { company: '-', place: null, site: undefined, policy: {} };

/**
 * Records that a person comes or goes, by a proof of their phone over exactly what it showed. The same request again is the same event for
 * ten minutes, on any node. A wrong ticket, an unknown account and a wrong proof are the same 401 after the same work.
 */
export async function punch({ address, ip, deps: given }: Context, input: Input) {
  // A shift comes at the same time, and asks for the same desk.
  const deps = { ...given, db: sharedReads(given.db) };
  const now = deps.clock.now();
  const scope = { tenantId: input.tenantId.toLowerCase(), environment: input.environment };
  const ticket = await readTicket(deps, input.ticket);
  const isTheirs =
    ticket?.scope.tenantId === scope.tenantId && ticket.scope.environment === scope.environment;
  const of: Minted = isTheirs
    ? ticket
    : { scope, codeId: null, deviceId: null, mode: 'remote', scannedAt: new Date(0) };
  const read = reader(deps.db, scope);
  const calling = phoneOf({ deps, address }, scope);
  const account = calling.then(({ tenant }) => tenant);
  const [caller, place, puncher, known] = await Promise.all([
    calling,
    placeOf(read, of, account),
    store.findPuncher(read, canonicalDid(input.did)),
    store.findProof(read, input.nonce.toLowerCase()),
  ]);
  const statement = statementOf(deps, of, place ?? NOWHERE, input);
  const digest = attendanceDigest(statement);
  const claim: Claim = {
    purpose: 'attend',
    action: 'attendance.created',
    // The ticket says when, so the proof needs no time of the phone.
    input: { ...input, timestamp: now },
    bindOf: ({ nonce, ...where }) => attendBind({ ...where, nonce, digest }),
    // The nonce is that of the event, which finds it again.
    spends: false,
    confirms: false,
  };
  const proved = await prove(caller, claim);
  if (!isTheirs || place === undefined) return reject(caller, claim, 'wrong_binding');
  const nonce = statement.nonce;
  if (isSame(known, proved, digest)) return showPunch(deps, read, known.attendance_id);
  if (puncher?.id !== proved.prover.user_id) return fail('user_not_found');
  const site = await requireAllowed(ip, read, puncher, of, place);
  if (now > of.scannedAt.getTime() + SUBMIT_MS) return fail('attendance_code_invalid');
  const id = deps.ids();
  const recorded = await catchError(
    'verification_failed',
    decide(caller, proved, async (w, prover) => {
      const proof = {
        ...{
          attendanceId: id,
          userId: prover.user_id,
          identityId: prover.id,
          did: prover.did,
          nonce,
          digest,
        },
        ...{ statement: canonicalJson(statement), circuit: 'identity_proof' },
        proof: { proof: input.proof, publicSignals: input.publicSignals },
      };
      const [isFirst] = await Promise.all([
        store.insertProof(w, proof, proved.at),
        insertPunch(w, { id, statement, userId: prover.user_id, site, of }, proved.at),
      ]);
      return isFirst ? id : fail('verification_failed', { because: 'nonce_used' });
    }),
  );
  if (recorded !== undefined) return showPunch(deps, read, recorded);
  const same = await store.findProof(read, nonce);
  if (!isSame(same, proved, digest))
    return fail('verification_failed', { because: 'lost to another request' });
  return showPunch(deps, read, same.attendance_id);
}

/** Whether it is the event of the same request, made within ten minutes. */
const isSame = (
  found: store.FoundProof | undefined,
  { prover, at }: Proved,
  digest: string,
): found is store.FoundProof =>
  found?.digest === digest &&
  found.user_id === prover.user_id &&
  at.getTime() - found.created_at.getTime() <= REPEAT_MS;

/** 403 for who may not clock in like this. Their proof is valid, so they learn why. Returns the site where it counts. */
async function requireAllowed(
  ip: string,
  read: Read,
  puncher: store.Puncher,
  of: Minted,
  { site: siteOfDesk, policy }: Place,
): Promise<SiteRow | undefined> {
  const own = puncher.site_id !== null && puncher.site_id !== siteOfDesk?.id;
  const site = own ? await findSite(read, puncher.site_id as string) : siteOfDesk;
  const from = puncher.attendance_from ?? site?.attendance_from ?? 'desk';
  if (of.codeId === null && from === 'desk') fail('attendance_remote_refused');
  if (of.mode === 'desk' && !isOnNetwork(policy, ip)) fail('attendance_network_refused');
  if (policy.attendance?.confirmed_only !== false && !(await isNameKnown(read, puncher)))
    fail('name_not_confirmed');
  return site;
}

interface Punch {
  readonly id: string;
  readonly statement: Pick<AttendanceStatement, 'type' | 'reason' | 'activity' | 'mode'>;
  readonly userId: string;
  readonly site: SiteRow | undefined;
  readonly of: Minted;
}

async function insertPunch(w: Write, { id, statement, userId, site, of }: Punch, now: Date): Promise<void> {
  const { type, reason, activity, mode } = statement;
  const [month] = await Promise.all([
    site && numberIn(w, site, of.scannedAt),
    insertProved(w, {
      ...{ id, user_id: userId, type, reason, activity, mode, evidence: 'proved', result: 'accepted' },
      ...{ environment: w.scope.environment, site_id: site?.id ?? null, device_id: of.deviceId },
      ...{ occurred_at: of.scannedAt, created_at: now },
    }),
  ]);
  w.audit({
    ...{ entityType: 'attendance', entityId: id },
    metadata: {
      ...{ type, reason, at: iso(of.scannedAt), evidence: 'proved' },
      ...(of.codeId !== null && { codeId: of.codeId }),
      ...month,
    },
  });
}

/** The event with what the phone recomputes before it says that it is recorded: the salts, the entry, and a signed head of that write. */
async function showPunch(deps: Pick<Deps, 'keyring'>, read: Read, id: string) {
  const [stored, row] = await Promise.all([
    findStored(read, sealedAttendance, [id]),
    store.findEntry(read, id),
  ]);
  const { record, n, salts } = stored.get(id) ?? fail('attendance_not_found');
  if (row === undefined || salts === null)
    return fail('attendance_not_found', { because: 'no entry seals it' });
  const { tenantId, environment } = read.scope;
  const entry = serializeEvent(row);
  const head = { seq: row.seq, hash: row.hash, at: row.created_at.getTime() };
  const { current } = deps.keyring;
  const { keyId, signature } = signHead(current, tenantId, environment, head);
  return {
    attendance: record,
    receipt: {
      ...{ n, salts, entry },
      head: {
        ...{ tenantId, seq: head.seq, hash: head.hash, at: iso(row.created_at) },
        ...{ keyId, publicKey: current.signing.publicHex, signature },
      },
    },
  };
}
