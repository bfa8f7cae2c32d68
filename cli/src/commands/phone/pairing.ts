import { readShortCode } from '@svc/sdk';
import { approvePairing, declinePairing, findForCode } from '@svc/sdk/phone';
import { Option } from 'commander';
import type { Action, Commands, Options, Run } from '../../command.js';
import { Failure, UsageError } from '../../failure.js';
import * as acts from '../../phone/acts.js';
import { describeAsker } from '../../phone/asker.js';
import { explainRejection } from '../../phone/explain.js';
import {
  type Enrollment,
  identityOf,
  isSamePlace,
  openPhone,
  type PhoneFile,
  phonePath,
} from '../../phone/phone-file.js';
import { phoneAt } from '../../phone/places.js';
import { readPairingQr } from '../../phone/qr.js';
import { plain } from '../../terminal.js';
import { act, expectOk, faultIn, numberFor, withPhone } from './options.js';
import { passkeyFor } from './passkeys.js';

/** The phone's part of signing a desktop in. It needs no API key: the phone proves who it is. */
export function phonePairingCommands(phone: Commands): void {
  const code = ['<code>', 'the text of the QR code, za:pair:… or an address'] as const;
  act(phone.command('pair', 'show who asks for a sign-in, and prove for that desktop', pair), 'pair')
    .argument(...code)
    .option('--number <number>', 'the two digits that the desktop shows')
    .option(
      '--verdict <verdict>',
      'the integrity level that the phone claims, such as MEETS_DEVICE_INTEGRITY',
    );
  withPhone(phone.command('decline', 'end a sign-in that this person did not ask for', decline))
    .argument(...code)
    .addOption(
      new Option('--reason <reason>', 'not_me raises an alarm at the company')
        .choices(['not_me', 'mistake'])
        .default('not_me'),
    );
}

/** Reads the code and who asks, and shows that. */
async function scan(run: Run, text: string, options: Options) {
  const file = openPhone(phonePath(run, options));
  const whole = await wholeCode(run, file, text.trim(), options);
  const target = readPairingQr(whole.text);
  // The address comes from the phone's own file, because an attacker can choose every field of a forged code.
  const own = phoneAt(run, file, enrollmentFor(file, target), options);
  const { context, scanTicket } = whole.asked ?? (await own.svc.phone.pairing.context(target));
  if (!run.json) run.err.write(`${describeAsker(context, own.svc.serverNow(), run)}\n`);
  return { target, context, scanTicket, own, found: await findForCode(own.phone, whole.text) };
}

/** Of an address, which only names the session, the code that the service returns to a phone that is registered there. */
async function wholeCode(run: Run, file: PhoneFile, text: string, options: Options) {
  const short = readShortCode(text);
  if (short === undefined) return { text, asked: undefined };
  const place = file.find(({ baseUrl }) => new URL(baseUrl).origin === short.origin);
  if (place === undefined) throw notRegisteredAt(file, short.origin);
  return findForCode(phoneAt(run, file, place, options).phone, text);
}

const notRegisteredAt = (phone: PhoneFile, baseUrl: string) =>
  new UsageError(
    `This phone (${phone.path}) is not registered at ${plain(baseUrl)}, where the code belongs. If that is your service, register the phone there with \`svc phone register\`. Otherwise the code is forged.`,
  );

const NUMBER = {
  question: 'Number on the desktop: ',
  missing: 'This sign-in asks for a number. Pass --number with the two digits that the desktop shows.',
};

const pair: Action = async (run, [code], options) => {
  const { target, context, scanTicket, own, found } = await scan(run, String(code), options);
  const { svc } = own;
  const fault = faultIn(options);
  const { match, rotate } = fault?.session ?? {};
  if ((match === 'type' && context.match === 'off') || (rotate && target.scan === undefined))
    throw new UsageError(
      `--fault ${options.fault} needs a code that moves and a number. Open the session with \`svc pairing open\`.`,
    );
  const number = context.match === 'type' ? await numberFor(run, options, NUMBER) : undefined;
  const { verdict } = options as { verdict?: string };
  const clientMeta = {
    platform: 'simulator',
    ...(verdict !== undefined && { deviceAttestationVerdict: verdict }),
  };
  const sent = fault
    ? acts.pair(svc, identityOf(own.enrollment), target, {
        ...{ fault, verdict, number, scanTicket },
        sign: passkeyFor(own, options),
      })
    : approvePairing(own.phone, found, { scanTicket, matchCode: number, clientMeta });
  const body = await expectOk(sent, options, (error) => explainRejection(svc, error));
  const next = body.returnUrl === undefined ? '' : `\nNext: open ${plain(body.returnUrl)}`;
  run.show(
    body,
    body.session.state === 'proved'
      ? 'Approved, but nobody is logged in yet: the browser is new to this person and asks for the passkey of a phone beside it.'
      : `Paired: the desktop is logged in as user ${body.session.userId}.${next}`,
  );
};

const decline: Action = async (run, [code], options) => {
  const { scanTicket, own, found } = await scan(run, String(code), options);
  const { reason } = options as { reason: 'not_me' | 'mistake' };
  const body = await declinePairing(own.phone, found, { reason, scanTicket });
  run.show(body, 'Declined: nobody is logged in, and the code no longer works.');
};

/** The phone's enrollment that a code is for. @throws Failure for a code of another place, which may be forged */
function enrollmentFor(phone: PhoneFile, code: Pick<Enrollment, 'baseUrl' | 'tenantId' | 'environment'>) {
  const registered = (matches: (each: Enrollment) => boolean) => phone.find(matches);
  const found = registered((each) => isSamePlace(each, code));
  if (found) return found;
  if (!registered(({ baseUrl }) => baseUrl === code.baseUrl)) throw notRegisteredAt(phone, code.baseUrl);
  const elsewhere = registered((each) => isSamePlace({ ...each, environment: code.environment }, code));
  throw new Failure(
    elsewhere ? 'credential' : 'usage',
    elsewhere
      ? `This phone is registered in the ${elsewhere.environment} environment of this account, but the code belongs to ${code.environment}. Register it there with a key of ${code.environment}: svc phone register.`
      : `This phone (${phone.path}) is not registered with the account of this code. Register it with \`svc phone register\`. If you do not know the account, the code is forged.`,
  );
}
