import { randomUUID } from 'node:crypto';
import {
  attendanceContestBind,
  attendanceListBind,
  attendBind,
  correctBind,
  correctDeclineBind,
  memberLinkBind,
} from '@svc/zk/field';
import type { PhoneIdentity } from '@svc/zk/phone';
import {
  type Correction,
  type CorrectionStatement,
  correctionDigest,
  correctionSha256,
} from '@svc/zk/time/correction';
import { type AttendanceStatement, attendanceDigest } from '@svc/zk/time/statement';
import { deviceToken } from './device-keys.js';
import type { MemberAccount } from './members.js';
import { useOf } from './phone.js';
import { type Account, freshAddress, type Reply, type Service } from './service.js';
import { proveBind } from './several-phones.js';
import type { OpenDesk } from './staff.js';

export interface Site {
  readonly id: string;
  readonly timeZone: string;
}

export async function createSite(service: Service, account: Account, more: object = {}): Promise<Site> {
  const reply = await service.call('POST', '/v1/sites', {
    as: await service.createKey(account, 'live', ['sites:write']),
    body: { name: 'Werk Nord', country: 'DE', timeZone: 'Europe/Berlin', ...more },
  });
  if (reply.status !== 201) throw new Error(`creating a site returned ${reply.status} ${reply.text}`);
  return reply.body.site;
}

/** Puts a desk to a site. */
export async function placeDesk(
  service: Service,
  account: Account,
  { device }: OpenDesk,
  site: Site,
): Promise<void> {
  const reply = await service.call('PATCH', `/v1/devices/${device.id}`, {
    as: account.key,
    body: { locationId: site.id },
  });
  if (reply.status !== 200) throw new Error(`placing the desk returned ${reply.status} ${reply.text}`);
}

/** The code that a desk shows now. */
export async function codeAt(service: Service, { session }: Pick<OpenDesk, 'session'>): Promise<string> {
  const reply = await service.call('POST', '/v1/attendance/codes', { as: session });
  if (reply.status !== 200) throw new Error(`opening a code returned ${reply.status} ${reply.text}`);
  return reply.body.code.value;
}

export const readContext = (service: Service, query: Record<string, string>): Promise<Reply> =>
  service.call('GET', `/v1/phone/attendance/context?${new URLSearchParams(query)}`, {
    address: freshAddress(),
  });

interface Shown {
  readonly ticket: string;
  readonly [name: string]: unknown;
}

export interface Act {
  readonly type?: 'check_in' | 'check_out';
  readonly reason?: 'work' | 'break';
  readonly activity?: string | null;
  readonly contract?: string | null;
  readonly nonce?: string;
  /** What the proof says, if that is something else. */
  readonly proved?: Partial<AttendanceStatement>;
}

/** The body of a punch, with a fresh proof of what the phone showed. */
export async function provePunch(phone: PhoneIdentity, shown: Shown, act: Act = {}) {
  const { type = 'check_in', reason = 'work', activity = null, contract = null, nonce = randomUUID() } = act;
  const { issuer, tenant, environment, company, mode, place, scannedAt, ticket } = shown;
  const statement = {
    ...{ v: 1, issuer, tenant, environment, company, type, reason, activity, contract, mode, place },
    ...{ scannedAt, nonce },
    ...act.proved,
  } as AttendanceStatement;
  const where = { tenantId: tenant as string, environment: environment as string };
  const digest = attendanceDigest(statement);
  const proved = await proveBind(phone, attendBind({ ...where, nonce: statement.nonce, digest }));
  return { ...proved, ...where, nonce, ticket, type, reason, activity, contract };
}

export const send = (service: Service, body: object): Promise<Reply> =>
  service.call('POST', '/v1/phone/attendance', { body, address: freshAddress() });

/** A phone scans the desk's code and clocks in or out. */
export async function punchAt(
  service: Service,
  desk: Pick<OpenDesk, 'session'>,
  phone: PhoneIdentity,
  act: Act = {},
): Promise<Reply> {
  const { body } = await readContext(service, { code: await codeAt(service, desk) });
  return send(service, await provePunch(phone, body.context, act));
}

/** Lets time pass until a moment, which is not over. */
export function waitUntil({ clock }: Pick<Service, 'clock'>, time: string): void {
  const ms = Date.parse(time) - clock.now();
  if (!(ms >= 0)) throw new Error(`${time} is over`);
  clock.advance(ms);
}

/** A phone clocks in or out at a moment, which is not over. The desk opens another session, because it may be days later. */
export async function punchWhen(
  service: Service,
  { device }: Pick<OpenDesk, 'device'>,
  phone: PhoneIdentity,
  time: string,
  act: Act = {},
): Promise<PunchedEvent> {
  waitUntil(service, time);
  const reply = await punchAt(service, { session: await deviceToken(service, device) }, phone, act);
  if (reply.status !== 201) throw new Error(`clocking in or out returned ${reply.status} ${reply.text}`);
  return reply.body.attendance;
}

interface PunchedEvent {
  readonly id: string;
  readonly type: 'check_in' | 'check_out';
  readonly reason: 'work' | 'break';
  readonly occurredAt: string;
  readonly siteId: string | null;
}

/** From a check-in to a check-out. */
export async function workFrom(
  service: Service,
  desk: Pick<OpenDesk, 'device'>,
  phone: PhoneIdentity,
  [from, to]: readonly [from: string, to: string],
): Promise<readonly [PunchedEvent, PunchedEvent]> {
  const came = await punchWhen(service, desk, phone, from);
  return [came, await punchWhen(service, desk, phone, to, { type: 'check_out' })];
}

/** What a phone sends about its own attendance, with a proof bound to it. */
export async function listOwn(
  service: Service,
  phone: PhoneIdentity,
  { tenantId }: Pick<Account, 'tenantId'>,
  month: string,
  more: object = {},
): Promise<Reply> {
  const use = useOf(service, { tenantId });
  const { nonce, timestamp } = use;
  const proved = await proveBind(
    phone,
    attendanceListBind({ tenantId, environment: 'live', nonce, timestampMs: timestamp, month }),
  );
  const body = { ...proved, tenantId, environment: 'live', nonce, timestamp, month, ...more };
  return service.call('POST', '/v1/phone/attendance/list', { body, address: freshAddress() });
}

export async function contest(
  service: Service,
  phone: PhoneIdentity,
  { tenantId }: Pick<Account, 'tenantId'>,
  attendanceId: string,
): Promise<Reply> {
  const { nonce, timestamp } = useOf(service, { tenantId });
  const bind = attendanceContestBind({
    ...{ tenantId, environment: 'live', nonce, timestampMs: timestamp },
    attendanceId,
  });
  const body = { ...(await proveBind(phone, bind)), tenantId, environment: 'live', nonce, timestamp };
  return service.call('POST', `/v1/phone/attendance/${attendanceId}/contest`, {
    body,
    address: freshAddress(),
  });
}

/** The statement of a correction, as the person's phone builds it. */
async function statementOf(
  service: Service,
  { tenantId }: Pick<Account, 'tenantId'>,
  of: { readonly id: string; readonly sha256: string; readonly createdAt: string },
): Promise<CorrectionStatement> {
  const { body } = await readContext(service, { tenantId, environment: 'live' });
  const { issuer, company } = body.context;
  return {
    ...{ v: 1, issuer, tenant: tenantId, environment: 'live', company },
    ...{ correctionId: of.id, correctionSha256: of.sha256, createdAt: of.createdAt },
  };
}

/** A person proposes a correction on their phone. */
export async function proposeOwn(
  service: Service,
  phone: PhoneIdentity,
  account: Pick<Account, 'tenantId'>,
  correction: Correction,
  id = randomUUID(),
): Promise<Reply> {
  const createdAt = service.clock.now();
  const sha256 = correctionSha256(correction);
  const statement = await statementOf(service, account, {
    id,
    sha256,
    createdAt: new Date(createdAt).toISOString(),
  });
  const bind = correctBind({
    ...{ tenantId: account.tenantId, environment: 'live', correctionId: id },
    ...{ digest: correctionDigest(statement), decidedAtMs: createdAt },
  });
  const body = {
    ...(await proveBind(phone, bind)),
    ...{ tenantId: account.tenantId, environment: 'live', id, createdAt, correction },
  };
  return service.call('POST', '/v1/phone/attendance/corrections', { body, address: freshAddress() });
}

/** A person decides about a correction on their phone. */
export async function decideOwn(
  service: Service,
  phone: PhoneIdentity,
  account: Pick<Account, 'tenantId'>,
  correction: { readonly id: string; readonly correctionSha256: string; readonly createdAt: string },
  decision: 'agree' | 'contest' = 'agree',
): Promise<Reply> {
  const { id, correctionSha256: sha256, createdAt } = correction;
  const digest = correctionDigest(await statementOf(service, account, { id, sha256, createdAt }));
  const decidedAt = service.clock.now();
  const fields = {
    ...{ tenantId: account.tenantId, environment: 'live', correctionId: id, digest },
    decidedAtMs: decidedAt,
  };
  const bind = decision === 'agree' ? correctBind(fields) : correctDeclineBind(fields);
  const body = {
    ...(await proveBind(phone, bind)),
    ...{ tenantId: account.tenantId, environment: 'live', decision, digest, decidedAt },
  };
  return service.call('POST', `/v1/phone/attendance/corrections/${id}/decide`, {
    body,
    address: freshAddress(),
  });
}

/** The phone of a member shows which person they are. */
export async function linkMember(
  service: Service,
  phone: PhoneIdentity,
  { tenantId }: Pick<Account, 'tenantId'>,
  { id: memberId, token: as }: Pick<MemberAccount, 'id' | 'token'>,
  sent?: string,
): Promise<Reply> {
  const token = sent ?? (await service.call('POST', '/api/console/members/me/link', { as })).body.link.token;
  const { nonce, timestamp } = useOf(service, { tenantId });
  const where = { tenantId, environment: 'live', nonce };
  const proved = await proveBind(phone, memberLinkBind({ ...where, timestampMs: timestamp, memberId }));
  return service.call('POST', '/v1/phone/member-link', {
    body: { ...proved, ...where, timestamp, token },
    address: freshAddress(),
  });
}
