import { randomUUID } from 'node:crypto';
import {
  attendanceContestBind,
  attendanceListBind,
  attendancePinBind,
  attendBind,
  correctBind,
  memberLinkBind,
} from '@svc/zk/field';
import type { PhoneIdentity } from '@svc/zk/phone';
import { type Correction, correctionDigest, correctionSha256 } from '@svc/zk/time/correction';
import { type AttendanceStatement, attendanceDigest } from '@svc/zk/time/statement';
import { sha256 } from '../../../src/base/crypto/keyring.js';
import { type Person, registerPerson } from '../phone.js';
import { freshAddress } from '../service.js';
import { proveBind } from '../several-phones.js';
import { openedDesk, staffAt } from '../staff.js';
import { eventKeyOf } from './credentials.js';
import type { Prepared, Stage } from './prepared.js';

const environmentOf = ({ account: { key } }: Stage) => (key.startsWith('svc_test_') ? 'test' : 'live');
const scopeOf = (stage: Stage) => ({
  tenantId: stage.account.tenantId,
  environment: environmentOf(stage),
});

async function post(stage: Stage, path: string, body: object, as: string) {
  const reply = await stage.service.call('POST', path, { as, body });
  if (reply.status >= 300) throw new Error(`POST ${path} returned ${reply.status} ${reply.text}`);
  return reply.body;
}

const SITE = { name: 'Werk Nord', country: 'DE', timeZone: 'Europe/Berlin', attendanceFrom: 'anywhere' };

/** A new site, whose hours the owner may see. */
async function site(stage: Stage): Promise<string> {
  const { account, service } = stage;
  await service.call('PATCH', `/api/console/members/${account.tenantId}`, {
    as: account.token,
    body: { hours: true },
  });
  return (await post(stage, '/v1/sites', SITE, await eventKeyOf(stage))).site.id;
}

/** Somebody who works at a new site, with a phone. */
async function worker(stage: Stage) {
  const { account, service } = stage;
  const siteId = await site(stage);
  const externalId = randomUUID();
  const body = { fullName: 'Ada Lovelace', externalId, siteId, employeeCode: '1815' };
  await post(stage, '/v1/users', body, account.key);
  const person = await registerPerson(service, account.key, { externalId });
  return { person, siteId };
}

async function punchBody(stage: Stage, person: Person) {
  const scope = scopeOf(stage);
  const { body } = await stage.service.call(
    'GET',
    `/v1/phone/attendance/context?${new URLSearchParams(scope)}`,
    { address: freshAddress() },
  );
  const { issuer, company, mode, place, scannedAt, ticket } = body.context;
  const nonce = randomUUID();
  const statement: AttendanceStatement = {
    ...{ v: 1, issuer, tenant: scope.tenantId, environment: scope.environment, company },
    ...{ type: 'check_in', reason: 'work', activity: null, contract: null, mode, place, scannedAt, nonce },
  } as AttendanceStatement;
  const digest = attendanceDigest(statement);
  return {
    ...(await proveBind(person, attendBind({ ...scope, nonce, digest }))),
    ...scope,
    nonce,
    ticket,
    type: 'check_in',
  };
}

type Use = { readonly nonce: string; readonly timestampMs: number };

/** The body of a claim of a phone, with a proof for one use. */
async function claim(
  stage: Stage,
  phone: PhoneIdentity,
  bindOf: (use: Use & { readonly tenantId: string; readonly environment: string }) => bigint,
  more: object = {},
): Promise<object> {
  const scope = scopeOf(stage);
  const [nonce, timestamp] = [randomUUID(), stage.service.clock.now()];
  const proved = await proveBind(phone, bindOf({ ...scope, nonce, timestampMs: timestamp }));
  return { ...proved, ...scope, nonce, timestamp, ...more };
}

/** When somebody came, an hour ago. */
const came = (stage: Stage) => ({
  type: 'check_in' as const,
  reason: 'work' as const,
  occurredAt: new Date(stage.service.clock.now() - 3_600_000).toISOString(),
});

/** A correction that the owner proposed. */
async function correction(stage: Stage) {
  const { person } = await worker(stage);
  const { account } = stage;
  const body = { userId: person.userId, cause: 'forgotten', changes: [{ old: null, new: came(stage) }] };
  const path = `/v1/attendance/corrections?environment=${environmentOf(stage)}`;
  const made = await post(stage, path, body, account.token);
  return {
    person,
    correction: made.correction as { id: string; createdAt: string; correctionSha256: string },
  };
}

async function statementOf(stage: Stage, id: string, sha: string, createdAt: string) {
  const scope = scopeOf(stage);
  const { body } = await stage.service.call(
    'GET',
    `/v1/phone/attendance/context?${new URLSearchParams(scope)}`,
    { address: freshAddress() },
  );
  const { issuer, company } = body.context;
  return correctionDigest({
    ...{ v: 1, issuer, tenant: scope.tenantId, environment: scope.environment as 'live', company },
    ...{ correctionId: id, correctionSha256: sha, createdAt },
  });
}

/** A correction that the person proposes. */
async function ownCorrection(stage: Stage, person: Person): Promise<object> {
  const wanted: Correction = {
    ...{ userId: person.userId, cause: 'forgotten', note: null },
    changes: [{ old: null, new: came(stage) }],
  };
  const [id, now] = [randomUUID(), stage.service.clock.now()];
  const digest = await statementOf(stage, id, correctionSha256(wanted), new Date(now).toISOString());
  const scope = scopeOf(stage);
  const bind = correctBind({ ...scope, correctionId: id, digest, decidedAtMs: now });
  return { ...(await proveBind(person, bind)), ...scope, id, createdAt: now, correction: wanted };
}

async function personsCorrection(stage: Stage): Promise<string> {
  const { person } = await worker(stage);
  const { status, body, text } = await stage.service.call('POST', '/v1/phone/attendance/corrections', {
    body: await ownCorrection(stage, person),
    address: freshAddress(),
  });
  if (status !== 201) throw new Error(`proposing returned ${status} ${text}`);
  return body.correction.id;
}

const ofCorrection =
  (of: (stage: Stage) => Promise<string>, what: string, body?: object) =>
  async (stage: Stage): Promise<Prepared> => ({
    path: `/v1/attendance/corrections/${await of(stage)}${what}`,
    ...(body && { body }),
  });

/** An inspection of a new site, with its link and code. */
async function inspection(stage: Stage) {
  const [siteId, of] = [await site(stage), monthOf(stage)];
  const made = await post(
    stage,
    '/v1/attendance/inspections',
    { siteId, from: of, to: of },
    stage.account.key,
  );
  return { siteId, id: made.inspection.id, token: new URL(made.url).hash.slice(1), code: made.code };
}

/** The session of somebody with both. */
async function inspector(stage: Stage): Promise<Prepared> {
  const { token, code } = await inspection(stage);
  const { body } = await stage.service.call('POST', '/v1/attendance/inspections/open', {
    body: { token, code },
    address: freshAddress(),
  });
  return { headers: { 'x-inspection-token': body.session.token } };
}

const PIN = '482915';

const pinBody = (stage: Stage, person: Person) =>
  claim(
    stage,
    person,
    (use) => attendancePinBind({ ...use, pinHash: sha256(`svc-pin-v1|${use.nonce}|${PIN}`) }),
    {
      pin: PIN,
    },
  );

/** A desk of the site of somebody with a PIN. */
async function deskOf(stage: Stage) {
  const { account, service } = stage;
  const { person, siteId } = await worker(stage);
  await service.call('POST', '/v1/phone/attendance/pin', {
    body: await pinBody(stage, person),
    address: freshAddress(),
  });
  const desk = await openedDesk(service, account, environmentOf(stage));
  await service.call('PATCH', `/v1/devices/${desk.device.id}`, {
    as: account.key,
    body: { locationId: siteId },
  });
  return { person, siteId, credentials: { authorization: `Bearer ${desk.session}` } };
}

const KNOWN = { number: '1815', pin: PIN };
const atDesk =
  (body: object, path?: (userId: string, stage: Stage) => Promise<string>) =>
  async (stage: Stage): Promise<Prepared> => {
    const { credentials, person } = await deskOf(stage);
    return {
      ...{ credentials, body: { ...KNOWN, ...body } },
      ...(path && { path: await path(person.userId, stage) }),
    };
  };

const byStaff =
  (more: object) =>
  async (stage: Stage): Promise<Prepared> => {
    const { account, service } = stage;
    const { person } = await worker(stage);
    const desk = await openedDesk(service, account);
    const credentials = await staffAt(service, desk, account);
    return { credentials, body: { userId: person.userId, ...more } };
  };

const monthOf = ({ service }: Stage, monthsAgo = 0) => {
  const now = new Date(service.clock.now());
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo)).toISOString().slice(0, 7);
};

/** The requests of working time. */
export const TIME_EXAMPLES: Readonly<Record<string, (stage: Stage) => Promise<Prepared>>> = {
  'POST /v1/sites': async (stage) => {
    await eventKeyOf(stage);
    return { body: SITE };
  },
  'GET /v1/sites': async (stage) => {
    await site(stage);
    return { path: '/v1/sites?limit=1' };
  },
  'GET /v1/sites/:siteId': async (stage) => ({ path: `/v1/sites/${await site(stage)}` }),
  'GET /v1/sites/:siteId/presence': async (stage) => ({ path: `/v1/sites/${await site(stage)}/presence` }),
  'PATCH /v1/sites/:siteId': async (stage) => ({
    path: `/v1/sites/${await site(stage)}`,
    body: { name: 'Werk Süd' },
  }),
  'POST /v1/attendance/codes': async (stage) => {
    await eventKeyOf(stage);
    return {};
  },
  'GET /v1/attendance/codes/:codeId/stream': async (stage) => {
    const { code } = await post(stage, '/v1/attendance/codes', {}, await eventKeyOf(stage));
    return { path: `/v1/attendance/codes/${code.id}/stream` };
  },
  'GET /v1/phone/attendance/context': async (stage) => ({
    path: `/v1/phone/attendance/context?${new URLSearchParams(scopeOf(stage))}`,
  }),
  'POST /v1/phone/attendance': async (stage) => {
    const { person } = await worker(stage);
    return { body: await punchBody(stage, person) };
  },
  'POST /v1/phone/attendance/list': async (stage) => {
    const { person } = await worker(stage);
    const month = monthOf(stage);
    return { body: await claim(stage, person, (use) => attendanceListBind({ ...use, month }), { month }) };
  },
  'POST /v1/phone/attendance/:id/contest': async (stage) => {
    const { person } = await worker(stage);
    const made = await post(
      stage,
      '/v1/attendance',
      { userId: person.userId, type: 'check_in' },
      stage.account.key,
    );
    const { id } = made.attendance;
    const body = await claim(stage, person, (use) => attendanceContestBind({ ...use, attendanceId: id }));
    return { path: `/v1/phone/attendance/${id}/contest`, body };
  },
  'POST /v1/phone/attendance/pin': async (stage) => ({
    body: await pinBody(stage, (await worker(stage)).person),
  }),
  'POST /v1/phone/attendance/corrections': async (stage) => ({
    body: await ownCorrection(stage, (await worker(stage)).person),
  }),
  'POST /v1/phone/attendance/corrections/:id/decide': async (stage) => {
    const { person, correction: of } = await correction(stage);
    const digest = await statementOf(stage, of.id, of.correctionSha256, of.createdAt);
    const [scope, decidedAt] = [scopeOf(stage), stage.service.clock.now()];
    const bind = correctBind({ ...scope, correctionId: of.id, digest, decidedAtMs: decidedAt });
    return {
      path: `/v1/phone/attendance/corrections/${of.id}/decide`,
      body: { ...(await proveBind(person, bind)), ...scope, decision: 'agree', digest, decidedAt },
    };
  },
  'POST /v1/phone/member-link': async (stage) => {
    const { person } = await worker(stage);
    const { account, service } = stage;
    const { body } = await service.call('POST', '/api/console/members/me/link', { as: account.token });
    const memberId = account.tenantId;
    return {
      body: await claim(stage, person, (use) => memberLinkBind({ ...use, memberId }), {
        token: body.link.token,
      }),
    };
  },
  'POST /v1/attendance/corrections': async (stage) => {
    const { person } = await worker(stage);
    return {
      body: { userId: person.userId, cause: 'forgotten', changes: [{ old: null, new: came(stage) }] },
    };
  },
  'GET /v1/attendance/corrections': async (stage) => {
    await correction(stage);
    return { path: '/v1/attendance/corrections?limit=1' };
  },
  'GET /v1/attendance/corrections/:id': ofCorrection(
    async (stage) => (await correction(stage)).correction.id,
    '',
  ),
  'POST /v1/attendance/corrections/:id/decide': ofCorrection(personsCorrection, '/decide', {
    decision: 'agree',
  }),
  'POST /v1/attendance/corrections/:id/withdraw': ofCorrection(
    async (stage) => (await correction(stage)).correction.id,
    '/withdraw',
  ),
  'POST /v1/attendance/corrections/:id/record': ofCorrection(async (stage) => {
    const { person, correction: of } = await correction(stage);
    await stage.service.call('PATCH', `/v1/users/${person.userId}`, {
      as: stage.account.key,
      body: { status: 'inactive' },
    });
    return of.id;
  }, '/record'),
  'GET /v1/attendance/sheets': async (stage) => {
    const { siteId } = await worker(stage);
    return { path: `/v1/attendance/sheets?siteId=${siteId}&month=${monthOf(stage)}&limit=1` };
  },
  'GET /v1/attendance/months/:month': async (stage) => ({
    path: `/v1/attendance/months/${monthOf(stage)}?siteId=${await site(stage)}`,
  }),
  'POST /v1/attendance/months/:month/close': async (stage) => ({
    path: `/v1/attendance/months/${monthOf(stage, 2)}/close`,
    body: { siteId: await site(stage) },
  }),
  'POST /v1/attendance/inspections': async (stage) => ({
    body: { siteId: await site(stage), from: monthOf(stage, 2), to: monthOf(stage) },
  }),
  'GET /v1/attendance/inspections': async (stage) => ({
    path: `/v1/attendance/inspections?siteId=${(await inspection(stage)).siteId}`,
  }),
  'DELETE /v1/attendance/inspections/:id': async (stage) => ({
    path: `/v1/attendance/inspections/${(await inspection(stage)).id}`,
  }),
  'POST /v1/attendance/inspections/open': async (stage) => {
    const { token, code } = await inspection(stage);
    return { body: { token, code } };
  },
  'GET /v1/attendance/inspections/current': inspector,
  'GET /v1/attendance/inspections/current/sheets': async (stage) => ({
    ...(await inspector(stage)),
    path: `/v1/attendance/inspections/current/sheets?month=${monthOf(stage)}`,
  }),
  'POST /v1/attendance/marks': async (stage) => {
    const { person } = await worker(stage);
    return { body: { userId: person.userId, date: `${monthOf(stage)}-02`, code: 'holiday', source: 'HR' } };
  },
  'DELETE /v1/attendance/marks/:id': async (stage) => {
    const { person } = await worker(stage);
    const body = { userId: person.userId, date: `${monthOf(stage)}-02`, code: 'holiday', source: 'HR' };
    const { mark } = await post(stage, '/v1/attendance/marks', body, stage.account.key);
    return { path: `/v1/attendance/marks/${mark.id}` };
  },
  'DELETE /v1/users/:userId/attendance-pin': async (stage) => ({
    path: `/v1/users/${(await worker(stage)).person.userId}/attendance-pin`,
  }),
  'POST /v1/attendance/declared': atDesk({ type: 'check_in' }),
  'POST /v1/attendance/declared/pin': atDesk({ newPin: '739105' }),
  'POST /v1/attendance/declared/month': async (stage) => atDesk({ month: monthOf(stage) })(stage),
  'POST /v1/attendance/declared/corrections/:id/decide': atDesk(
    { decision: 'agree' },
    async (userId, stage) => {
      const body = { userId, cause: 'forgotten', changes: [{ old: null, new: came(stage) }] };
      const { account } = stage;
      const path = `/v1/attendance/corrections?environment=${environmentOf(stage)}`;
      const made = await post(stage, path, body, account.token);
      return `/v1/attendance/declared/corrections/${made.correction.id}/decide`;
    },
  ),
  'POST /v1/staff/attendance': byStaff({ type: 'check_in' }),
  'POST /v1/staff/pins': byStaff({}),
};
