import { randomUUID } from 'node:crypto';
import type { Action, Commands, Options, Run } from '../../command.js';
import { Failure, UsageError } from '../../failure.js';
import * as acts from '../../phone/acts.js';
import { explainRejection } from '../../phone/explain.js';
import { FAULTS } from '../../phone/faults/faults.js';
import { makePasskey } from '../../phone/passkey/passkey.js';
import {
  type Enrollment,
  identityOf,
  isSamePlace,
  newEnrollment,
  openPhone,
  type PhoneFile,
  phonePath,
} from '../../phone/phone-file.js';
import { secretInForce } from '../../phone/places.js';
import { readEnrollmentCode, readRegistrationLink } from '../../phone/qr.js';
import { clientOf, keyClientOf, withKey, withServer } from '../../settings.js';
import { plain, table } from '../../terminal.js';
import { phoneApprovalCommands } from './approvals.js';
import { phoneIdentityCommands } from './identities.js';
import { act, expectOk, faultIn, withPhone } from './options.js';
import { phonePairingCommands } from './pairing.js';
import { passkeyFor, phonePasskeyCommands } from './passkeys.js';
import { phoneRecoveryCommands } from './recoveries.js';

export function phoneCommands(commands: Commands): void {
  const phone = commands.group('phone', 'a simulated phone, with its secrets in a file with mode 600');
  act(
    withServer(phone.command('enroll', 'enroll as a device, with its enrollment code', enroll)),
    'enroll',
  ).argument('<code>', 'SV-XXXX-XXXX, or its link svc://enroll?code=…');
  act(
    withKey(
      phone.command(
        'register',
        'register a person, with the link of a ceremony or with the API key',
        register,
      ),
    ),
    'register',
  )
    .argument('[link]', 'the text of the QR code, svc://reg?step=… or an address')
    .option('--one-step', 'stop after the step of the link')
    .option('--passkey', 'enroll a passkey that signs the phone’s proofs')
    .option('--again', 'register a new identity and delete the present secret');
  act(withKey(phone.command('verify', 'prove for a nonce and open a session', verify)), 'verify').option(
    '--own-nonce',
    'use a nonce and a time of this machine instead of the service’s',
  );
  phonePairingCommands(phone);
  phoneApprovalCommands(phone);
  phoneIdentityCommands(phone);
  act(
    withServer(
      phone.command(
        'recover',
        'register this phone for a person who lost theirs, with the link of a registration',
        recover,
      ),
    ),
    'register',
  )
    .argument('<link>', 'the text of the QR code, svc://reg?step=… or an address')
    .option('--passkey', 'enroll a passkey that signs the phone’s proofs');
  phonePasskeyCommands(phone);
  phoneRecoveryCommands(phone);
  withPhone(phone.command('show', 'show where the phone is registered, without its secrets', show));
  phone.command('faults', 'list the faults and the responses to them', showFaults);
}

const enroll: Action = async (run, [code], options) => {
  const svc = clientOf(run, options);
  const phone = openPhone(phonePath(run, options));
  // Before the request, because an enrolled device is lost without its fingerprint.
  phone.save();
  const link = readEnrollmentCode(String(code), svc.baseUrl);
  const device = await expectOk(acts.enroll(svc, link, phone.state.fingerprint, faultIn(options)), options);
  run.show({ device }, `Device ${device.id} (${plain(device.name)}) is ${device.enrollment_state}.`);
};

const nextOf = ({ phone }: Options) =>
  `Next: svc phone verify${phone === undefined ? '' : ` --phone ${String(phone)}`}`;

const register: Action = async (run, [link], options) => {
  if (link !== undefined) return registerByCeremony(run, link, options);
  if (options.fault !== undefined || options.oneStep || options.passkey)
    throw new UsageError(
      '--fault, --one-step and --passkey need the link of a ceremony. Open one with `svc registrations open`.',
    );
  const svc = keyClientOf(run, options);
  const phone = openPhone(phonePath(run, options));
  const { tenantId, environment } = await acts.createNonce(svc);
  const place = { baseUrl: svc.baseUrl, tenantId, environment };
  const before = phone.find((each) => isSamePlace(each, place) && each.sessionId === null);
  if (before !== undefined && !options.again)
    throw new UsageError(
      `This phone (${phone.path}) is already registered there, as ${before.did}. --again registers a new identity and deletes that secret. ` +
        'To use another phone, name another file with --phone.',
    );
  // Pending until the service accepts it. If it does not, the previous identity stays.
  const enrollment = newEnrollment({ ...place, sessionId: randomUUID() });
  phone.save(enrollment);
  const { did, commitment } = enrollment;
  const result = await svc.identity.register({ did, commitment });
  phone.save({ ...enrollment, sessionId: null });
  run.show(result, `Registered user ${result.userId} (${environment}).\n${nextOf(options)}`);
};

const recover: Action = (run, [link], options) => registerByCeremony(run, String(link), options);

async function registerByCeremony(run: Run, text: string, options: Options): Promise<void> {
  const svc = clientOf(run, options);
  const phone = openPhone(phonePath(run, options));
  const fault = faultIn(options);
  const link = readRegistrationLink(text, svc.baseUrl);
  const { sessionId } = link;
  let { step, code, challenge } = link;
  if (fault?.wrongCode && step !== 'pair')
    throw new UsageError('--fault wrong-code needs the first link of a ceremony, with step=pair.');
  if (fault?.passkey && !options.passkey)
    throw new UsageError(`--fault ${options.fault} needs --passkey. Nothing was sent.`);
  let enrollment = step === 'pair' ? undefined : pendingOf(phone, sessionId);
  /** Only the first step returns the account's name. */
  let where = '';
  const stop = (next: { deeplink: string }) => {
    run.show({ session_id: sessionId, next }, `Done${where}. Next: svc phone register '${next.deeplink}'`);
  };
  if (enrollment === undefined) {
    const body = await expectOk(
      acts.pairDevice(svc, { sessionId, code }, phone.state.fingerprint, fault),
      options,
    );
    enrollment = newEnrollment({
      baseUrl: svc.baseUrl,
      tenantId: body.tenant_id,
      environment: body.environment,
      sessionId: body.session_id,
    });
    phone.save(enrollment);
    if (body.company_name !== undefined) where = ` with ${plain(body.company_name)}`;
    ({ step, code } = body.next);
    if (options.oneStep) return stop(body.next);
  }
  const { tenantId, environment } = enrollment;
  const identity = identityOf(enrollment);
  if (step === 'enroll') {
    const body = await expectOk(acts.submitCommitment(svc, { sessionId, code }, identity), options);
    ({ step, code, challenge_nonce: challenge } = body.next);
    if (options.oneStep) return stop(body.next);
  }
  if (challenge === undefined)
    throw new UsageError(
      'The link has no challenge, which the last step needs. Copy the whole text of the QR code.',
    );
  const ceremony = { sessionId, tenantId, environment };
  const made = options.passkey ? makePasskey(enrollment, challenge, fault?.passkey) : undefined;
  const last = { code, challenge, attestation: made?.attestation };
  const body = await expectOk(acts.complete(svc, identity, ceremony, last, fault), options);
  const keyId = body.attestationKeyId;
  const passkey = made && keyId !== undefined ? { passkey: { ...made.passkey, keyId } } : {};
  phone.save({ ...enrollment, ...passkey, sessionId: null });
  const { tenant_user: user, device } = body;
  if (body.state === 'pending_recovery')
    return run.show(
      body,
      `Proved${where}. ${plain(user.fullName)} had a phone before, so this is a recovery: it completes at ${body.completesAt}. Until then this phone cannot verify, and another phone of the person can contest it.`,
    );
  run.show(
    body,
    `Registered ${plain(user.fullName)}${where} (user ${user.id}, device ${device.id}, ${environment}).\n${nextOf(options)}`,
  );
}

function pendingOf(phone: PhoneFile, sessionId: string): Enrollment {
  const pending = phone.find((enrollment) => enrollment.sessionId === sessionId);
  if (pending) return pending;
  throw new UsageError(
    `This phone (${phone.path}) did not complete the first step of that registration. Start with its first link.`,
  );
}

/** The phone's enrollment for an account. @throws Failure with the way to get one */
function enrollmentAt(
  phone: PhoneFile,
  place: Pick<Enrollment, 'baseUrl' | 'tenantId' | 'environment'>,
): Enrollment {
  const finished = (enrollment: Enrollment) =>
    enrollment.sessionId === null &&
    enrollment.baseUrl === place.baseUrl &&
    enrollment.tenantId === place.tenantId;
  const found = phone.find((each) => finished(each) && each.environment === place.environment);
  if (found) return found;
  const elsewhere = phone.find(finished);
  throw new Failure(
    elsewhere ? 'credential' : 'usage',
    elsewhere
      ? `This phone is registered in the ${elsewhere.environment} environment of this account, but the key belongs to ${place.environment}. Use a key of ${elsewhere.environment}, or register the phone with this one: svc phone register.`
      : `This phone (${phone.path}) is not registered at ${place.baseUrl} with the account of this key. Register it with \`svc phone register\`.`,
  );
}

const verify: Action = async (run, _, options) => {
  const svc = keyClientOf(run, options);
  const phone = openPhone(phonePath(run, options));
  const requested = await acts.createNonce(svc);
  const sent = options.ownNonce ? { ...requested, nonce: randomUUID(), timestamp: Date.now() } : requested;
  const enrollment = enrollmentAt(phone, { baseUrl: svc.baseUrl, ...sent });
  const { own, identity } = await secretInForce({ phone, svc, enrollment, place: sent });
  const sign = passkeyFor(own, options);
  const verified = acts.verify(svc, identity, sent, faultIn(options), sign);
  const body = await expectOk(verified, options, (error) =>
    explainRejection(svc, error, { requested, sent }),
  );
  run.show(
    body,
    `Verified: session ${body.sessionId}, for ${body.expiresIn} s.\nAccess token:  ${body.accessToken}\nRefresh token: ${body.refreshToken}`,
  );
};

const show: Action = async (run, _, options) => {
  const { path, state, isNew } = openPhone(phonePath(run, options));
  if (isNew)
    throw new UsageError(`There is no phone at ${path} yet. Create one with \`svc phone register\`.`);
  const places = state.enrollments.map(
    ({ biometricSecret: _secret, salt: _salt, renewed, sessionId, passkey, ...place }) => ({
      ...place,
      passkey: passkey?.keyId ?? null,
      state: sessionId !== null ? 'under way' : renewed ? 'rotating' : 'registered',
    }),
  );
  const rows = places.map((place) => [
    place.state,
    place.environment,
    place.baseUrl,
    place.tenantId,
    place.did,
    place.passkey ?? '–',
  ]);
  run.show(
    { file: path, fingerprint: state.fingerprint, places },
    `${path}, fingerprint ${state.fingerprint}\n${table([['STATE', 'ENVIRONMENT', 'SERVER', 'TENANT', 'DID', 'PASSKEY'], ...rows])}`,
  );
};

const showFaults: Action = async (run) => {
  const faults = Object.entries(FAULTS).map(([name, { summary, answers }]) => ({ name, summary, answers }));
  const rows = faults.map(({ name, summary, answers }) => [
    name,
    Object.entries(answers)
      .map(([of, { status, error }]) => `${of} ${error ?? status}`)
      .join(', '),
    summary,
  ]);
  run.show({ faults }, table([['FAULT', 'RESPONSE', 'WHAT IS WRONG'], ...rows]));
};
