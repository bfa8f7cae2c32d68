import { randomUUID } from 'node:crypto';
import { formatDeeplink, type Svc } from '@svc/sdk';
import {
  commitRegistration,
  type PhonePorts,
  type Place,
  verify as proveVerify,
  type Registration,
  register as registerPerson,
  registrationsIn,
  replacingOlder,
  startRegistration,
} from '@svc/sdk/phone';
import { createIdentity } from '@svc/sdk/prover';
import type { Action, Commands, Options, Run } from '../../command.js';
import { Failure, UsageError } from '../../failure.js';
import * as acts from '../../phone/acts.js';
import { explainRejection } from '../../phone/explain.js';
import { FAULTS } from '../../phone/faults/faults.js';
import {
  type Enrollment,
  type FileSecret,
  identityOf,
  isSamePlace,
  openPhone,
  type PhoneFile,
  phonePath,
  textOf,
} from '../../phone/phone-file.js';
import { acting } from '../../phone/places.js';
import { phoneOf } from '../../phone/ports.js';
import { readEnrollmentCode, readRegistrationLink } from '../../phone/qr.js';
import { clientOf, keyClientOf, withKey, withServer } from '../../settings.js';
import { plain, table } from '../../terminal.js';
import { phoneApprovalCommands } from './approvals.js';
import { phoneCorrectionCommands } from './corrections.js';
import { phoneIdentityCommands } from './identities.js';
import { act, expectOk, faultIn, withPhone } from './options.js';
import { phonePairingCommands } from './pairing.js';
import { passkeyFor, phonePasskeyCommands } from './passkeys.js';
import { phoneRecoveryCommands } from './recoveries.js';
import { phoneTimeCommands } from './time.js';

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
  phoneTimeCommands(phone);
  phoneCorrectionCommands(phone);
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
  const file = openPhone(phonePath(run, options));
  const { tenantId, environment } = await acts.createNonce(svc);
  const place = { baseUrl: svc.baseUrl, tenantId, environment };
  const before = file.find((each) => each.confirmed && isSamePlace(each, place));
  if (before !== undefined && !options.again)
    throw new UsageError(
      `This phone (${file.path}) is already registered there, as ${before.did}. --again registers a new identity and deletes that secret. ` +
        'To use another phone, name another file with --phone.',
    );
  const secret = textOf(createIdentity());
  const { did, commitment } = secret;
  // Not confirmed until the service accepts it. If it does not, the previous identity stays.
  const enrollment: Enrollment = {
    ...secret,
    ...{ id: did, ...place, fingerprint: file.state.fingerprint, confirmed: false },
    createdAt: new Date().toISOString(),
  };
  await file.vault.change(() => [{ put: 'identities', record: enrollment }]);
  const result = await svc.identity.register({ did, commitment });
  await file.vault.change((stored) => replacingOlder(stored, { ...enrollment, confirmed: true }));
  run.show(result, `Registered user ${result.userId} (${environment}).\n${nextOf(options)}`);
};

const recover: Action = (run, [link], options) => registerByCeremony(run, String(link), options);

async function registerByCeremony(run: Run, text: string, options: Options): Promise<void> {
  const svc = clientOf(run, options);
  const file = openPhone(phonePath(run, options));
  const fault = faultIn(options);
  const link = readRegistrationLink(text, svc.baseUrl);
  const { sessionId, step } = link;
  if (fault?.wrongCode && step !== 'pair')
    throw new UsageError('--fault wrong-code needs the first link of a ceremony, with step=pair.');
  if (fault?.passkey && !options.passkey)
    throw new UsageError(`--fault ${options.fault} needs --passkey. Nothing was sent.`);
  const phone = phoneOf(file, svc, { withPasskey: options.passkey === true, fault: fault?.passkey });
  const code = fault?.wrongCode ? acts.WRONG_CODE : link.code;
  const ceremony = await (step === 'pair'
    ? expectOk(startRegistration(phone, { session: sessionId, code }), options)
    : continueWith(file, link));
  const where = ceremony.companyName === undefined ? '' : ` with ${plain(ceremony.companyName)}`;
  const stop = ({ next }: { next: { step: 'enroll' | 'verify'; code: string; challengeNonce?: string } }) => {
    const { step: nextStep, code: nextCode, challengeNonce: challenge } = next;
    const deeplink = formatDeeplink({
      ...{ kind: 'registration', session: sessionId, step: nextStep, code: nextCode },
      ...(challenge !== undefined && { challenge }),
    });
    const named = challenge === undefined ? {} : { challenge_nonce: challenge };
    const shown = { session_id: sessionId, next: { step: nextStep, code: nextCode, deeplink, ...named } };
    run.show(shown, `Done${where}. Next: svc phone register '${deeplink}'`);
  };
  if (options.oneStep && step === 'pair') return stop(ceremony);
  if (options.oneStep && step === 'enroll')
    return stop(await expectOk(commitRegistration(phone, sessionId), options));
  if (fault && !fault.wrongCode && !fault.passkey)
    return completeFaultily(svc, file, sessionId, options, phone);
  const { reply: body } = await expectOk(registerPerson(phone, sessionId), options);
  const { tenant_user: user, device } = body;
  if (body.state === 'pending_recovery')
    return run.show(
      body,
      `Proved${where}. ${plain(user.fullName)} had a phone before, so this is a recovery: it completes at ${body.completesAt}. Until then this phone cannot verify, and another phone of the person can contest it.`,
    );
  run.show(
    body,
    `Registered ${plain(user.fullName)}${where} (user ${user.id}, device ${device.id}, ${ceremony.environment}).\n${nextOf(options)}`,
  );
}

/** The registration that an earlier command began, with the code of its next step. */
async function continueWith(
  file: PhoneFile,
  { sessionId, step, code, challenge }: ReturnType<typeof readRegistrationLink>,
): Promise<Registration<FileSecret>> {
  const found = registrationsIn(await file.vault.read()).find((each) => each.sessionId === sessionId);
  if (found === undefined)
    throw new UsageError(
      `This phone (${file.path}) did not complete the first step of that registration. Start with its first link.`,
    );
  if (step === 'verify' && challenge === undefined)
    throw new UsageError(
      'The link has no challenge, which the last step needs. Copy the whole text of the QR code.',
    );
  const next =
    step === 'verify' && challenge !== undefined
      ? { step: 'verify' as const, code, challengeNonce: challenge }
      : { step: 'enroll' as const, code };
  const record = { ...found, next };
  await file.vault.change(() => [{ put: 'ceremonies', record }]);
  return record;
}

/** The last step, with a fault. */
async function completeFaultily(
  svc: Svc,
  file: PhoneFile,
  sessionId: string,
  options: Options,
  phone: PhonePorts<FileSecret>,
): Promise<void> {
  const ceremony = await expectOk(commitRegistration(phone, sessionId), options);
  if (ceremony.next.step !== 'verify' || ceremony.identity === undefined)
    throw new UsageError(`The registration of ${file.path} is not at its last step.`);
  const { code, challengeNonce: challenge } = ceremony.next;
  const last = { code, challenge };
  await expectOk(
    acts.complete(svc, identityOf(ceremony.identity), ceremony, last, faultIn(options)),
    options,
  );
}

/** The phone's enrollment for an account. @throws Failure with the way to get one */
function enrollmentAt(
  phone: PhoneFile,
  place: Pick<Enrollment, 'baseUrl' | 'tenantId' | 'environment'>,
): Enrollment {
  const atAccount = (each: Enrollment) => each.baseUrl === place.baseUrl && each.tenantId === place.tenantId;
  const found = phone.find((each) => atAccount(each) && each.environment === place.environment);
  if (found) return found;
  const elsewhere = phone.find(atAccount);
  throw new Failure(
    elsewhere ? 'credential' : 'usage',
    elsewhere
      ? `This phone is registered in the ${elsewhere.environment} environment of this account, but the key belongs to ${place.environment}. Use a key of ${elsewhere.environment}, or register the phone with this one: svc phone register.`
      : `This phone (${phone.path}) is not registered at ${place.baseUrl} with the account of this key. Register it with \`svc phone register\`.`,
  );
}

const verify: Action = async (run, _, options) => {
  const svc = keyClientOf(run, options);
  const file = openPhone(phonePath(run, options));
  const requested = await acts.createNonce(svc);
  const sent = options.ownNonce ? { ...requested, nonce: randomUUID(), timestamp: Date.now() } : requested;
  const enrollment = enrollmentAt(file, { baseUrl: svc.baseUrl, ...sent });
  const phone = phoneOf(file, svc);
  const fault = faultIn(options);
  const own = { file, svc, enrollment, phone };
  const verified = fault
    ? acts.verify(svc, identityOf(enrollment), sent, fault, passkeyFor(own, options))
    : acting(proveVerify(phone, enrollment.id, sent), enrollment).then((body) => svc.identity.verify(body));
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
  const { ceremonies, joinings } = state;
  const places = [
    ...state.enrollments.map((each) =>
      placeOf(each, each.baseUrl, each.renewal ? 'rotating' : each.confirmed ? 'registered' : 'unconfirmed'),
    ),
    ...ceremonies.flatMap((each) =>
      'tenantId' in each ? [placeOf(each, each.identity?.baseUrl, 'under way', each.identity?.did)] : [],
    ),
    ...joinings.flatMap(({ found, did }) => (found ? [placeOf(found, undefined, 'under way', did)] : [])),
  ];
  const rows = places.map((place) => [
    place.state,
    place.environment,
    place.baseUrl ?? '–',
    place.tenantId,
    place.did ?? '–',
    place.passkey ?? '–',
  ]);
  run.show(
    { file: path, fingerprint: state.fingerprint, places },
    `${path}, fingerprint ${state.fingerprint}\n${table([['STATE', 'ENVIRONMENT', 'SERVER', 'TENANT', 'DID', 'PASSKEY'], ...rows])}`,
  );
};

/** Without secrets. */
const placeOf = (
  { tenantId, environment, attestationKeyId, did: own }: Place & Partial<Enrollment>,
  baseUrl: string | undefined,
  state: string,
  did = own,
) => ({ baseUrl, tenantId, environment, did, passkey: attestationKeyId ?? null, state });

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
