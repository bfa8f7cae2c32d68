// A site with a desk, and phones of people who clock in there: by the same requests as the pages of a desk and a phone.
import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import { attendBind } from '../../zk/dist/field.js';
import { createIdentity } from '../../zk/dist/phone.js';
import { attendanceDigest } from '../../zk/dist/time/statement.js';
import { createPhoneProver } from '../harness.mjs';
import { bearer, call, signUp } from '../servers.mjs';
import { freshAddress } from '../sign-ins.mjs';

/** A new account with working time: a site and a desk with a session. */
export async function openSite(baseUrl) {
  const { token, tenant, apiKey } = await signUp(baseUrl);
  const scopes = ['sites:write', 'attendance:read'];
  const wanted = { name: 'Sites', environment: 'live', scopes };
  const { apiKey: reader } = await call(baseUrl, 'POST', '/api/console/keys', bearer(token), wanted);
  const { site } = await call(baseUrl, 'POST', '/v1/sites', bearer(reader.key), {
    ...{ name: 'Werk Nord', country: 'DE', timeZone: 'Europe/Berlin' },
  });
  const account = { tenantId: tenant.id, token, headers: bearer(apiKey.key), reader: bearer(reader.key) };
  return { ...account, site, desk: await openDesk(baseUrl, account, site) };
}

async function openDesk(baseUrl, { tenantId, token }, site) {
  const { device, enrollment } = await call(baseUrl, 'POST', '/api/console/devices', bearer(token), {
    ...{ name: 'Main gate', deviceType: 'kiosk', locationId: site.id },
  });
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' });
  const thumbprint = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  const signed = (text) =>
    sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  const from = { 'x-forwarded-for': freshAddress(78) };
  await call(baseUrl, 'POST', '/v1/devices/enroll', from, {
    enrollment_code: enrollment.code,
    fingerprint: `fp:${randomUUID()}`,
    public_key: { kty, crv, x, y },
    signature: signed(`svc-device-enrol-v1|${enrollment.code}|${thumbprint}`),
  });
  const [jti, timestamp] = [randomBytes(16).toString('base64url'), Date.now()];
  const signature = signed(`svc-device-v1|${tenantId}|live|${device.id}|${jti}|${timestamp}|`);
  const asked = { deviceId: device.id, jti, timestamp, signature };
  const session = await call(baseUrl, 'POST', '/v1/devices/session', from, asked);
  return { id: device.id, headers: bearer(session.token) };
}

/** Somebody who works at the site, with a phone. */
export async function employ(baseUrl, { headers, site }) {
  const externalId = randomUUID();
  const asked = { fullName: 'Ada Lovelace', externalId, siteId: site.id };
  const { user } = await call(baseUrl, 'POST', '/v1/users', headers, asked);
  const phone = createIdentity();
  const { did, commitment } = phone;
  await call(baseUrl, 'POST', '/v1/identity/register', headers, { did, commitment, externalId });
  return { ...phone, userId: user.id };
}

/** The code that the desk shows now. */
export async function codeAt(baseUrl, { desk }) {
  const { code } = await call(baseUrl, 'POST', '/v1/attendance/codes', desk.headers);
  return code.value;
}

/** The context of a code for a phone that scans it. Every phone has an address of its own. */
export async function scan(baseUrl, code) {
  const path = `/v1/phone/attendance/context?${new URLSearchParams({ code })}`;
  return (await call(baseUrl, 'GET', path, { 'x-forwarded-for': freshAddress(79) })).context;
}

/** The body of a punch, with a proof of its context. `prove` is of `createPhoneProver`. */
export async function provePunch(prove, phone, context, type) {
  const { issuer, tenant, environment, company, mode, place, scannedAt, ticket } = context;
  const nonce = randomUUID();
  const act = { type, reason: 'work', activity: null, contract: null };
  const digest = attendanceDigest({
    ...{ v: 1, issuer, tenant, environment, company, ...act, mode, place, scannedAt, nonce },
  });
  const proved = await prove(phone, attendBind({ tenantId: tenant, environment, nonce, digest }));
  return { did: phone.did, ...proved, tenantId: tenant, environment, nonce, ticket, ...act };
}

export const punch = (baseUrl, body, more = {}) =>
  call(baseUrl, 'POST', '/v1/phone/attendance', { 'x-forwarded-for': freshAddress(80), ...more }, body);

/**
 * Somebody clocks in at a desk, again and again: the phone asks for the context of a code, and sends a proof. The proofs are made before, because
 * one takes much longer than all of the service.
 */
export async function punches(baseUrl) {
  const account = await openSite(baseUrl);
  const person = await employ(baseUrl, account);
  const prove = await createPhoneProver();
  const prepare = async (count) => {
    const bodies = [];
    while (bodies.length < count) {
      const context = await scan(baseUrl, await codeAt(baseUrl, account));
      bodies.push(await provePunch(prove, person, context, 'check_in'));
    }
    const code = await codeAt(baseUrl, account);
    return async () => {
      for (const body of bodies) {
        await scan(baseUrl, code);
        await punch(baseUrl, body);
      }
    };
  };
  return { prepare };
}
