// A kiosk that signs people in all day. It has a key of its own and no API key. Prints one line for each change of the screen.
//
//   SVC_URL=http://localhost:3000 SVC_ENROLLMENT_CODE=SV-7K2M-Q9XH node kiosk-with-key.mjs   the first time
//   SVC_URL=http://localhost:3000 node kiosk-with-key.mjs                                    afterwards
//
// It needs the package @svc/sdk (docs/sdk.md says where to get it).
import { randomUUID, webcrypto } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createDeviceKey, isSvcError, qrTextOf, Svc } from '@svc/sdk';

process.on('uncaughtException', fail);
const { SVC_URL: baseUrl, SVC_ENROLLMENT_CODE: code, KIOSK_FILE: file = 'kiosk.json' } = process.env;
const { subtle } = webcrypto;
const ECDSA = { name: 'ECDSA', namedCurve: 'P-256' };
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => stop.abort(new Error('the kiosk was stopped')));

/** Six codes of five minutes, after which the kiosk looks whether its session needs to be renewed. */
const CODES = 6;
const RENEW_BEFORE_MS = 60 * 60_000;
/** The codes expired, a person declined or typed another number: show a new code. */
const HARMLESS = ['pairing_session_expired', 'pairing_session_closed', 'pairing_match_failed'];
const show = (what, text = '') => console.log(`${what} ${text}`.trimEnd());

const signer = existsSync(file) ? await load() : await enroll();
let session = await open();

while (!stop.signal.aborted) {
  try {
    if (session.endsAt - Date.now() < RENEW_BEFORE_MS) session = await open();
    await signSomebodyIn(session.svc);
  } catch (error) {
    if (stop.signal.aborted) break;
    // The device was set to inactive for a while, for example. If it was revoked, opening a session fails.
    if (isSvcError(error, 'device_session_invalid')) session = await open();
    else if (!isSvcError(error, ...HARMLESS)) fail(error);
  }
}
show('stopped');

/** A session lasts 12 hours. */
async function open() {
  const { token: deviceToken, expiresIn } = await new Svc({ baseUrl }).devices.session(signer);
  const svc = new Svc({ baseUrl, deviceToken });
  show('open', (await svc.getProfile()).name);
  return { svc, endsAt: Date.now() + expiresIn * 1000 };
}

async function signSomebodyIn(svc) {
  const { userId, tokens } = await svc.pairing.signIn({
    context: { application: 'Shop floor' },
    codes: CODES,
    // Called again every 10 seconds, because the code moves. The number stays.
    onCode: (pairing) => show('code', `${pairing.matchCode} ${qrTextOf(pairing)}`),
    onLost: (error) => show('dim', error.message),
    onResumed: () => show('bright'),
    onExpired: () => show('blank'),
    signal: stop.signal,
  });
  // Pass the tokens to the application that the person uses here, and forget them when they leave.
  show('signed in', `${userId} ${tokens.tokenType}`);
}

/** Claims the device that somebody created in the dashboard. The file is all that the kiosk keeps. */
async function enroll() {
  if (!code)
    throw new Error(
      `SVC_ENROLLMENT_CODE is missing, and there is no ${file}. Create a device in the dashboard.`,
    );
  const key = await createDeviceKey({ extractable: true });
  const claim = { enrollment_code: code, fingerprint: `kiosk:${randomUUID()}` };
  const { signer } = await new Svc({ baseUrl }).devices.enrollWithKey(claim, key);
  const { deviceId, tenantId, environment } = signer;
  const [privateKey, publicKey] = await Promise.all(
    [key.privateKey, key.publicKey].map((half) => subtle.exportKey('jwk', half)),
  );
  const text = JSON.stringify({ deviceId, tenantId, environment, privateKey, publicKey });
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  return signer;
}

async function load() {
  const { privateKey, publicKey, ...device } = JSON.parse(readFileSync(file, 'utf8'));
  const [forSigning, forChecking] = await Promise.all([
    subtle.importKey('jwk', privateKey, ECDSA, false, ['sign']),
    subtle.importKey('jwk', publicKey, ECDSA, true, ['verify']),
  ]);
  return { ...device, key: { privateKey: forSigning, publicKey: forChecking } };
}

/** Exits. A supervisor must restart the kiosk, except after code 2. */
function fail(error) {
  console.error(error instanceof Error ? error.message : error);
  if (!isSvcError(error, 'device_signature_invalid')) process.exit(1);
  console.error(`The device was revoked, or the clock is wrong. To enroll the kiosk again, delete ${file}.`);
  process.exit(2);
}
