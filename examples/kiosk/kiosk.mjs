// A kiosk at a door. It shows a code and a number, and a person who proves with their phone is checked in, or out the next time within
// 16 hours. Prints one line for each change of the screen.
//
//   SVC_URL=http://localhost:3000 SVC_API_KEY=svc_live_… node kiosk.mjs
import { isSvcError, qrTextOf, Svc } from '@svc/sdk';

process.on('uncaughtException', fail);
const svc = new Svc({ baseUrl: process.env.SVC_URL, apiKey: process.env.SVC_API_KEY });
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => stop.abort(new Error('the kiosk was stopped')));

const HARMLESS = [
  'pairing_session_expired',
  'pairing_session_closed',
  'pairing_match_failed',
  'user_not_found',
];
/** A person who checked in longer ago forgot to check out, and arrives now. Raise it if people stay longer. */
const MAX_STAY_MS = 16 * 60 * 60_000;
const show = (what, text = '') => console.log(`${what} ${text}`.trimEnd());
const kiosk = await device('kiosk-main-door');

while (!stop.signal.aborted) {
  try {
    await checkSomebodyIn();
  } catch (error) {
    if (stop.signal.aborted) break;
    // The codes expired, a person declined or typed another number, or is unknown: start again.
    if (!isSvcError(error, ...HARMLESS)) fail(error);
  }
}
show('stopped');

async function checkSomebodyIn() {
  // The service's clock, to some minutes: the kiosk's own may be wrong.
  let now = 0;
  const { userId, tokens } = await svc.pairing.signIn({
    context: { application: 'Main door' },
    // Called again every 10 seconds, because the code moves. The number stays.
    onCode: (pairing) => {
      now = Date.parse(pairing.expiresAt);
      show('code', `${pairing.matchCode} ${qrTextOf(pairing)}`);
    },
    onLost: (error) => show('dim', error.message),
    onResumed: () => show('bright'),
    onRefused: ({ error }) => show('refused', error),
    onExpired: () => show('blank'),
    signal: stop.signal,
  });
  const { user } = await svc.sessions.getCurrentIdentity(tokens.accessToken);
  const type = await nextFor(userId, now);
  const event = await svc.attendance.create({ userId, type, deviceId: kiosk.id });
  // The kiosk only needs the person's identity, so it ends the session, also on the phone.
  await svc.sessions.logOut(tokens.accessToken);
  show(event.type, user.fullName);
}

/** A person whose newest event is a check-in of the last 16 hours is checked out. Everybody else is checked in. */
async function nextFor(userId, now) {
  const { attendance } = await svc.attendance.list({ userId, result: 'accepted', limit: 1 });
  const isIn = attendance[0]?.type === 'check_in' && now - Date.parse(attendance[0].occurredAt) < MAX_STAY_MS;
  return isIn ? 'check_out' : 'check_in';
}

/** The kiosk's device, created at its first start. */
async function device(externalId) {
  const { devices } = await svc.devices.list({ externalId, status: 'active' });
  return devices[0] ?? svc.devices.create({ name: 'Main door', deviceType: 'kiosk', externalId });
}

/** Exits. A supervisor must restart the kiosk. */
function fail(error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
