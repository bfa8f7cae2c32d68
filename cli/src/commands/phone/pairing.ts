import { type Environment, Svc } from '@svc/sdk';
import { Option } from 'commander';
import type { Action, Commands, Options, Run } from '../../command.js';
import { Failure, UsageError } from '../../failure.js';
import * as acts from '../../phone/acts.js';
import { describeAsker } from '../../phone/asker.js';
import { explainRejection } from '../../phone/explain.js';
import {
  type Enrollment,
  isSamePlace,
  openPhone,
  type PhoneFile,
  phonePath,
} from '../../phone/phone-file.js';
import { secretInForce } from '../../phone/places.js';
import { readPairingQr } from '../../phone/qr.js';
import { clientOptions } from '../../settings.js';
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
  const target = readPairingQr(text);
  const phone = openPhone(phonePath(run, options));
  const enrollment = enrollmentFor(phone, target);
  // The address comes from the phone's own file, because an attacker can choose every field of a forged code.
  const svc = new Svc(clientOptions(run, { ...options, baseUrl: enrollment.baseUrl }));
  const { context, scanTicket } = await svc.phone.pairing.context(target);
  if (!run.json) run.err.write(`${describeAsker(context, svc.serverNow(), run)}\n`);
  const place = { tenantId: target.tenantId, environment: target.environment as Environment };
  const { own, identity } = await secretInForce({ phone, svc, enrollment, place });
  return { target, svc, context, scanTicket, own, identity };
}

const NUMBER = {
  question: 'Number on the desktop: ',
  missing: 'This sign-in asks for a number. Pass --number with the two digits that the desktop shows.',
};

const pair: Action = async (run, [code], options) => {
  const { target, svc, context, scanTicket, own, identity } = await scan(run, String(code), options);
  const fault = faultIn(options);
  const { match, rotate } = fault?.session ?? {};
  if ((match === 'type' && context.match === 'off') || (rotate && target.scan === undefined))
    throw new UsageError(
      `--fault ${options.fault} needs a code that moves and a number. Open the session with \`svc pairing open\`.`,
    );
  const number = context.match === 'type' ? await numberFor(run, options, NUMBER) : undefined;
  const { verdict } = options as { verdict?: string };
  const sign = passkeyFor(own, options);
  const body = await expectOk(
    acts.pair(svc, identity, target, { verdict, number, scanTicket, sign, ...(fault && { fault }) }),
    options,
    (error) => explainRejection(svc, error),
  );
  const next = body.returnUrl === undefined ? '' : `\nNext: open ${plain(body.returnUrl)}`;
  run.show(
    body,
    body.session.state === 'proved'
      ? 'Approved, but nobody is logged in yet: the browser is new to this person and asks for the passkey of a phone beside it.'
      : `Paired: the desktop is logged in as user ${body.session.userId}.${next}`,
  );
};

const decline: Action = async (run, [code], options) => {
  const { target, svc, scanTicket, identity } = await scan(run, String(code), options);
  const { reason } = options as { reason: 'not_me' | 'mistake' };
  const body = await acts.decline(svc, identity, target, { reason, scanTicket });
  run.show(body, 'Declined: nobody is logged in, and the code no longer works.');
};

/** The phone's enrollment that a code is for. @throws Failure for a code of another place, which may be forged */
function enrollmentFor(phone: PhoneFile, code: Pick<Enrollment, 'baseUrl' | 'tenantId' | 'environment'>) {
  const registered = (matches: (each: Enrollment) => boolean) =>
    phone.find((each) => each.sessionId === null && matches(each));
  const found = registered((each) => isSamePlace(each, code));
  if (found) return found;
  if (!registered(({ baseUrl }) => baseUrl === code.baseUrl))
    throw new UsageError(
      `This phone (${phone.path}) is not registered at ${plain(code.baseUrl)}, where the code belongs. If that is your service, register the phone there with \`svc phone register\`. Otherwise the code is forged.`,
    );
  const elsewhere = registered((each) => isSamePlace({ ...each, environment: code.environment }, code));
  throw new Failure(
    elsewhere ? 'credential' : 'usage',
    elsewhere
      ? `This phone is registered in the ${elsewhere.environment} environment of this account, but the code belongs to ${code.environment}. Register it there with a key of ${code.environment}: svc phone register.`
      : `This phone (${phone.path}) is not registered with the account of this code. Register it with \`svc phone register\`. If you do not know the account, the code is forged.`,
  );
}
