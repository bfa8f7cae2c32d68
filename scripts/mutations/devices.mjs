// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of sources
// Devices with keys: possession, one use of a signature, and what their sessions may do.

const SIGNED =
  'server/test/devices/signed-pairing.test.ts > a pairing session that an enrolled device signed [D12.191] [POST /v1/proof-pairing/sessions]';
const ENROLLING =
  'server/test/devices/enrol-with-key.test.ts > a device that enrolls with a key [D12.190] [POST /v1/devices/enroll]';
const KIOSK = 'server/test/devices/device-session.test.ts > a kiosk with its session [D12.193]';
const ENDS =
  'server/test/devices/device-session.test.ts > a session of a device ends [D12.193] [device_session_invalid]';

/** @type {import('./list.mjs').Mutation[]} */
export const devices = [
  {
    name: 'a device enrolls with a key that it does not have',
    file: 'server/src/features/devices/devices.ts',
    find: 'return key && isSignedBy(key.publicKey, enrolText(enrollment_code, key), signature) ? key : null;',
    replace: 'return key ?? null;',
    test: `${ENROLLING} > gets the uniform 404 for a signature by another key`,
  },
  {
    name: 'the signature of a device counts twice',
    file: 'server/src/features/devices/device-signatures.store.ts',
    find: 'on conflict do nothing returning 1 as done',
    replace:
      'on conflict (tenant_id, environment, device_id, jti) do update set expires_at = excluded.expires_at returning 1 as done',
    test: `${SIGNED} > accepts a jti once`,
  },
  {
    name: 'the signature of a device counts for ever',
    file: 'server/src/features/devices/device-signatures.ts',
    find: 'Math.abs(now - timestamp) > SKEW_MS',
    replace: 'timestamp - now > SKEW_MS',
    test: `${SIGNED} > accepts the clock of the device up to 60 seconds from its own`,
  },
  {
    name: 'what a device signed can be changed',
    file: 'server/src/features/devices/device-keys.ts',
    find: "hash('sha256', canonicalJson(body), 'hex')",
    replace: "hash('sha256', '{}', 'hex')",
    test: `${SIGNED} > refuses a body that was changed by a byte, and every other field of the signed text`,
  },
  {
    name: 'the key of a device counts that is out of use',
    file: 'server/src/features/devices/device-signatures.store.ts',
    find: "t.enrollment_state = 'enrolled' and t.status = 'active'",
    replace: "t.enrollment_state = 'enrolled'",
    test: `${SIGNED} > refuses a device that is inactive`,
  },
  {
    name: 'a session that a device signed asks for no number',
    file: 'server/src/features/pairing/pairing.ts',
    find: "needsNumber || enrolled || body.match === 'type'",
    replace: "needsNumber || body.match === 'type'",
    test: `${SIGNED} > asks for the number also if the body says off`,
  },
  {
    name: 'a device watches the sessions of others',
    file: 'server/src/features/pairing/pairing.ts',
    find: "if (deviceId !== null && row.opened_by_device !== deviceId) fail('pairing_session_not_found');",
    replace: '',
    test: `${KIOSK} > finds no session that it did not open, also with its cookie [pairing_session_not_found]`,
  },
  {
    name: 'a device reads the registrations of others',
    file: 'server/src/features/registrations/registrations.ts',
    find: 'deviceId === null || row.opened_by_device === deviceId ? row',
    replace: 'deviceId === null || row ? row',
    test: `${KIOSK} > opens, watches and cancels registrations of new people, and no others [session_not_found]`,
  },
  {
    name: 'a phone approves a session of a device that was revoked',
    file: 'server/src/features/pairing/least.ts',
    find: 'if (row.device_ended) return true;',
    replace: '',
    test: `${ENDS} > when its device is revoked while a person signs in: its watch ends, its token is invalid, and the phone’s proof opens nothing`,
  },
  {
    name: 'an API key opens what only an enrolled device may',
    file: 'server/src/features/pairing/least.ts',
    find: '!asked.sameDevice && !asked.hasKey)',
    replace: '!asked.sameDevice && false)',
    test: 'server/test/devices/device-nearby.test.ts > a session of no device [D12.205] > fails, also with a wrong signature [new_browser_refused] [device_signature_invalid]',
  },
  {
    name: 'the session of a device outlives its key',
    file: 'server/src/features/devices/device-signatures.store.ts',
    find: 'and t.id = ${deviceId} and t.key_thumbprint = ${thumbprint} and ${inUse}`;',
    replace: 'and t.id = ${deviceId} and ${thumbprint}::text is not null and ${inUse}`;',
    test: `${ENDS} > when its device gets another key`,
  },
];
