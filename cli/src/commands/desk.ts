import { type ConsoleDeviceCreateParams, type Environment, qrTextOf } from '@svc/sdk';
import { Option } from 'commander';
import type { Action, Commands } from '../command.js';
import { consoleClientOf, keyClientOf, withKey, withServer } from '../settings.js';
import { plain, screenOn } from '../terminal.js';

/** What a phone needs others for: a desk that registers people, a desktop that waits, a console that adds devices. */
export function deskCommands(commands: Commands): void {
  const registrations = commands.group('registrations', 'the desk’s part of a registration');
  withKey(registrations.command('open', 'open a ceremony and print its first link', openRegistration))
    .option('--name <name>', 'the person’s full name')
    .option('--external-id <id>', 'the id of the person in your records');
  withKey(registrations.command('show', 'show the state of a ceremony', showRegistration)).argument('<id>');
  withKey(registrations.command('abandon', 'end a ceremony', abandonRegistration)).argument('<id>');
  const pairing = commands.group('pairing', 'the desktop’s part of a log-in with a phone');
  withKey(
    pairing.command(
      'open',
      'show the text of a QR code and a number, and wait for the phone’s proof',
      openPairing,
    ),
  )
    .addOption(
      new Option('--match <match>', 'off shows no number, and the code does not move')
        .choices(['off', 'type'])
        .default('type'),
    )
    .option('--origin <url>', 'the page that asks, one of the account’s origins')
    .option('--application <name>', 'what the person signs in to')
    .option('--no-wait', 'do not wait');
  const devices = commands.group('devices', 'devices that enroll with a code (SVC_EMAIL and SVC_PASSWORD)');
  withServer(
    devices.command(
      'add',
      'create a device and print its enrollment code, which is returned only once',
      addDevice,
    ),
  )
    .argument('<name>')
    .addOption(
      new Option('--environment <environment>', 'the environment of the device')
        .choices(['live', 'test'])
        .default('test'),
    )
    .addOption(
      new Option('--type <type>', 'the type of the device')
        .choices(['mobile_android', 'mobile_ios', 'kiosk', 'iot_bridge', 'desktop'])
        .default('kiosk'),
    );
}

/** The line with a code's address, if any camera opens it. */
function addressLine(code: Parameters<typeof qrTextOf>[0]): string {
  const text = qrTextOf(code);
  return text === code.url ? `\nOr open on a phone: ${text}` : '';
}

const openRegistration: Action = async (run, _, options) => {
  const { name, externalId } = options;
  const profile = {
    ...(name !== undefined && { fullName: name }),
    ...(externalId !== undefined && { externalId }),
  };
  const result = await keyClientOf(run, options).registrations.create(profile);
  const { session, pair } = result;
  run.show(
    result,
    `Registration ${session.id} is open. Its code expires at ${pair.expires_at}.\nNext: svc phone register '${pair.deeplink}'${addressLine(pair)}`,
  );
};

const showRegistration: Action = async (run, [id], options) => {
  const session = await keyClientOf(run, options).registrations.get(String(id));
  run.show({ session }, `Registration ${session.id}: ${session.state}.`);
};

const abandonRegistration: Action = async (run, [id], options) => {
  const session = await keyClientOf(run, options).registrations.cancel(String(id));
  run.show({ session }, `Registration ${session.id}: ${session.state}.`);
};

const openPairing: Action = async (run, _, options) => {
  const { pairing } = keyClientOf(run, options);
  const { match, origin, application } = options as {
    match: 'off' | 'type';
    origin?: string;
    application?: string;
  };
  const context = { origin, application };
  const { cookie, ...session } = await pairing.create({
    match,
    ...(Object.values(context).some((value) => value !== undefined) && { context }),
  });
  const textOf = (code: typeof session) => {
    const number = session.matchCode === undefined ? '' : `\nNumber: ${session.matchCode}`;
    return `Next: svc phone pair '${code.qrPayload}'${addressLine(code)}${number}`;
  };
  if (options.wait === false) return run.show({ session }, textOf(session));
  const screen = screenOn(run.err);
  const show = (code: typeof session) =>
    run.json
      ? screen.note(JSON.stringify({ session: code }))
      : screen.show(`${textOf(code)}\nWaiting for the phone …`);
  show(session);
  const bound = await pairing.wait(
    { ...session, ...(cookie !== undefined && { cookie }) },
    {
      onQr: (qrPayload, url = '') => show({ ...session, qrPayload, url }),
      onLost: () => screen.note('Connection lost. Reconnecting.'),
      onResumed: () => screen.note('Reconnected.'),
      onRefused: ({ error }) =>
        screen.note(`Rejected: ${plain(error)}. The session stays open for another attempt.`),
    },
  );
  run.show(
    { state: 'bound', ...bound },
    `Logged in as user ${bound.userId}.\nAccess token:  ${bound.tokens.accessToken}\nRefresh token: ${bound.tokens.refreshToken}`,
  );
};

const addDevice: Action = async (run, [name], options) => {
  const svc = await consoleClientOf(run, options);
  const result = await svc.console.devices.create(
    { name, deviceType: options.type } as ConsoleDeviceCreateParams,
    options.environment as Environment,
  );
  const { device, enrollment } = result;
  run.show(
    result,
    `Device ${device.id} (${plain(device.name)}) is created. Its code expires at ${enrollment.expires_at}.\nNext: svc phone enroll ${enrollment.code}`,
  );
};
