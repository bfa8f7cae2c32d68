import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import { type Answer, type Client, refusalOf } from '../client.js';
import type { Action, Commands, Options, Run } from '../command.js';
import { Failure, UsageError } from '../failure.js';
import * as acts from '../phone/acts.js';
import { explainRefusal } from '../phone/explain.js';
import { type Act, FAULTS, type Fault, faultsOf } from '../phone/faults.js';
import {
  type Enrollment,
  identityOf,
  isSamePlace,
  newEnrollment,
  openPhone,
  type PhoneFile,
  phonePath,
} from '../phone/phone-file.js';
import { readEnrollmentCode, readPairingQr, readRegistrationLink, requireOwn } from '../phone/qr.js';
import { apiKeyOf, clientOf, environmentOf, withKey, withServer } from '../settings.js';
import { plain, table } from '../terminal.js';

export function phoneCommands(commands: Commands): void {
  const phone = commands.group('phone', 'a simulated phone, whose secrets are in a file of mode 600');
  act(
    withServer(phone.command('enroll', 'become a device, with its enrollment code', enroll)),
    'enroll',
  ).argument('<code>', 'SV-XXXX-XXXX, or its link svc://enroll?code=…');
  act(
    withKey(
      phone.command(
        'register',
        'register a person: by ceremony with a link, else with the API key',
        register,
      ),
    ),
    'register',
  )
    .argument('[link]', 'the text of the QR code, svc://reg?step=…')
    .option('--one-step', 'stop after the step of the link')
    .option('--again', 'become somebody else: the secret that the phone has there is lost');
  act(withKey(phone.command('verify', 'prove for a nonce and open a session', verify)), 'verify').option(
    '--own-nonce',
    'make nonce and time here, in place of asking for them',
  );
  act(withKey(phone.command('pair', 'prove for a desktop that shows a QR code', pair)), 'pair')
    .argument('<code>', 'the text of the QR code, za:pair:1:…')
    .option('--verdict <verdict>', 'what the phone claims of its integrity, such as MEETS_DEVICE_INTEGRITY');
  withPhone(phone.command('show', 'show where the phone is registered, without its secrets', show));
  phone.command('faults', 'show what can be done wrong, and what is answered', showFaults);
}

const withPhone = (command: Command) =>
  command.option('--phone <file>', 'the file of the phone, in place of SVC_PHONE (~/.svc-phone.json)');

const act = (command: Command, name: Act) =>
  withPhone(command).addOption(
    new Option('--fault <fault>', 'do one thing wrong (`svc phone faults`)').choices(faultsOf(name)),
  );

const faultIn = ({ fault }: Options): Fault | undefined => FAULTS[String(fault)];

/** A refusal is what a fault asked for; without one, its cause is looked for. */
async function expectOk(
  client: Client,
  answer: Answer,
  options: Options,
  why?: () => Promise<string | undefined>,
) {
  if (answer.status < 400) return answer.body;
  const next = faultIn(options) ? `(It was asked for: --fault ${options.fault}.)` : await why?.();
  throw await refusalOf(client, answer, next);
}

const enroll: Action = async (run, [code], options) => {
  const client = clientOf(run, options);
  const phone = openPhone(phonePath(run, options));
  // Before the call: a device that is enrolled and has forgotten its fingerprint would be a lost one.
  phone.keep();
  const answer = await acts.enroll(
    client,
    readEnrollmentCode(String(code)),
    phone.state.fingerprint,
    faultIn(options),
  );
  const { device } = await expectOk(client, answer, options);
  run.show({ device }, `Device ${device.id} (${plain(device.name)}) is ${device.enrollment_state}.`);
};

const nextOf = ({ phone }: Options) =>
  `Next: svc phone verify${phone === undefined ? '' : ` --phone ${String(phone)}`}`;

const register: Action = async (run, [link], options) => {
  if (link !== undefined) return registerByCeremony(run, link, options);
  if (options.fault !== undefined || options.oneStep)
    throw new UsageError(
      '--fault and --one-step need the link of a ceremony: open one with `svc registrations open`.',
    );
  const client = clientOf(run, options);
  const apiKey = apiKeyOf(run, options);
  const phone = openPhone(phonePath(run, options));
  const { tenantId, environment } = await acts.askNonce(client, apiKey);
  const place = { baseUrl: client.baseUrl, tenantId, environment };
  const before = phone.find((each) => isSamePlace(each, place) && each.sessionId === null);
  if (before !== undefined && !options.again)
    throw new UsageError(
      `This phone (${phone.path}) is registered there already, as ${before.did}. With --again it becomes somebody else, and that secret is lost; ` +
        'another phone is another file: --phone.',
    );
  // Under way until it is answered: what the phone was before stays good if this is refused.
  const enrollment = newEnrollment({ ...place, sessionId: randomUUID() });
  phone.keep(enrollment);
  const { did, commitment } = enrollment;
  const result = await client.call<{ userId: string }>('POST', '/v1/identity/register', {
    as: apiKey,
    body: { did, commitment },
  });
  phone.keep({ ...enrollment, sessionId: null });
  run.show(result, `Registered user ${result.userId} (${environment}).\n${nextOf(options)}`);
};

async function registerByCeremony(run: Run, link: string, options: Options): Promise<void> {
  const client = clientOf(run, options);
  const phone = openPhone(phonePath(run, options));
  const fault = faultIn(options);
  let { step, sessionId, code, challenge } = readRegistrationLink(link);
  if (fault?.wrongCode && step !== 'pair')
    throw new UsageError('--fault wrong-code is for the first link of a ceremony, with step=pair.');
  let enrollment = step === 'pair' ? undefined : pendingOf(phone, sessionId);
  /** Only the first step's answer has the account's name. */
  let where = '';
  const stop = (next: { deeplink: string }) => {
    run.show({ session_id: sessionId, next }, `Done${where}. The next step: ${next.deeplink}`);
  };
  if (step === 'pair') {
    const body = await expectOk(
      client,
      await acts.pairDevice(client, { sessionId, code }, phone.state.fingerprint, fault),
      options,
    );
    enrollment = newEnrollment({
      baseUrl: client.baseUrl,
      tenantId: body.tenant_id,
      environment: body.environment,
      sessionId: body.session_id,
    });
    phone.keep(enrollment);
    if (body.company_name !== undefined) where = ` with ${plain(body.company_name)}`;
    ({ step, code } = body.next);
    if (options.oneStep) return stop(body.next);
  }
  const { tenantId, environment } = enrollment as Enrollment;
  const identity = identityOf(enrollment as Enrollment);
  if (step === 'enroll') {
    const body = await expectOk(
      client,
      await acts.submitCommitment(client, { sessionId, code }, identity),
      options,
    );
    ({ step, code, challenge_nonce: challenge } = body.next);
    if (options.oneStep) return stop(body.next);
  }
  if (challenge === undefined)
    throw new UsageError('The link of the last step has a challenge, and this one has none.');
  const ceremony = { sessionId, tenantId, environment };
  const answer = await acts.complete(client, identity, ceremony, { code, challenge }, fault);
  const body = await expectOk(client, answer, options);
  phone.keep({ ...(enrollment as Enrollment), sessionId: null });
  const { tenant_user: user, device } = body;
  run.show(
    body,
    `Registered ${plain(user.fullName)}${where} (user ${user.id}, device ${device.id}, ${environment}).\n${nextOf(options)}`,
  );
}

function pendingOf(phone: PhoneFile, sessionId: string): Enrollment {
  const pending = phone.find((enrollment) => enrollment.sessionId === sessionId);
  if (pending) return pending;
  throw new UsageError(
    `This phone (${phone.path}) did not take the first step of that registration. Begin with its first link.`,
  );
}

/** Who the phone is at a place; where it is nobody, what it would need. */
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
      ? `This phone is registered in the ${elsewhere.environment} environment of this account, and the key is a key of ${place.environment}. Use a key of ${elsewhere.environment}, or register with this one: svc phone register.`
      : `This phone (${phone.path}) is not registered at ${place.baseUrl} with the account of this key. Register it: svc phone register.`,
  );
}

const verify: Action = async (run, _, options) => {
  const client = clientOf(run, options);
  const apiKey = apiKeyOf(run, options);
  const phone = openPhone(phonePath(run, options));
  const asked = await acts.askNonce(client, apiKey);
  const nonce = options.ownNonce ? { ...asked, nonce: randomUUID(), timestamp: Date.now() } : asked;
  const enrollment = enrollmentAt(phone, { baseUrl: client.baseUrl, ...nonce });
  const answer = await acts.verify(client, apiKey, identityOf(enrollment), nonce, faultIn(options));
  const body = await expectOk(client, answer, options, () =>
    explainRefusal(client, answer, { asked, sent: nonce }),
  );
  run.show(
    body,
    `Verified: session ${body.sessionId}, for ${body.expiresIn} s.\nAccess token:  ${body.accessToken}\nRefresh token: ${body.refreshToken}`,
  );
};

const pair: Action = async (run, [code], options) => {
  const target = readPairingQr(String(code));
  const client = clientOf(run, options);
  const apiKey = apiKeyOf(run, options);
  const phone = openPhone(phonePath(run, options));
  requireOwn(target, { baseUrl: client.baseUrl, environment: environmentOf(apiKey) });
  const enrollment = enrollmentAt(phone, target);
  const { verdict } = options as { verdict?: string };
  const fault = faultIn(options);
  const answer = await acts.pair(client, apiKey, identityOf(enrollment), target, {
    verdict,
    ...(fault && { fault }),
  });
  const body = await expectOk(client, answer, options, () => explainRefusal(client, answer));
  run.show(body, `Paired: the desktop is logged in as user ${body.session.userId}.`);
};

const show: Action = async (run, _, options) => {
  const { path, state, isNew } = openPhone(phonePath(run, options));
  if (isNew) throw new UsageError(`There is no phone at ${path} yet: \`svc phone register\` makes one.`);
  const places = state.enrollments.map(({ biometricSecret: _secret, salt: _salt, sessionId, ...place }) => ({
    ...place,
    state: sessionId === null ? 'registered' : 'under way',
  }));
  const rows = places.map((place) => [
    place.state,
    place.environment,
    place.baseUrl,
    place.tenantId,
    place.did,
  ]);
  run.show(
    { file: path, fingerprint: state.fingerprint, places },
    `${path}, fingerprint ${state.fingerprint}\n${table([['STATE', 'ENVIRONMENT', 'SERVER', 'TENANT', 'DID'], ...rows])}`,
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
  run.show({ faults }, table([['FAULT', 'ANSWERED', 'WHAT IS WRONG'], ...rows]));
};
