import { Option } from 'commander';
import { refusalOf } from '../client.js';
import type { Action, Commands } from '../command.js';
import { watchPairing } from '../pairing-watch.js';
import { apiKeyOf, clientOf, withKey, withServer } from '../settings.js';
import { plain } from '../terminal.js';
import { consoleToken } from './account.js';

/** What stands on the other side of the phone: a desk that registers, a desktop that waits, a console with a code. */
export function deskCommands(commands: Commands): void {
  const registrations = commands.group('registrations', 'the desk’s side of registering a person');
  withKey(registrations.command('open', 'open a ceremony and show its first link', openRegistration))
    .option('--name <name>', 'the person’s full name')
    .option('--external-id <id>', 'what your own records call the person');
  withKey(registrations.command('show', 'show how far a ceremony has come', showRegistration)).argument(
    '<id>',
  );
  withKey(registrations.command('abandon', 'end a ceremony', abandonRegistration)).argument('<id>');
  const pairing = commands.group('pairing', 'the desktop’s side of logging in with a phone');
  withKey(
    pairing.command('open', 'show a QR code’s text and wait until a phone has proved', openPairing),
  ).option('--no-wait', 'do not wait');
  const devices = commands.group('devices', 'devices that enroll with a code (SVC_EMAIL and SVC_PASSWORD)');
  withServer(devices.command('add', 'make a device and show its enrollment code this once', addDevice))
    .argument('<name>')
    .addOption(
      new Option('--environment <environment>', 'where the device is')
        .choices(['live', 'test'])
        .default('test'),
    )
    .addOption(
      new Option('--type <type>', 'what it is')
        .choices(['mobile_android', 'mobile_ios', 'kiosk', 'iot_bridge', 'desktop'])
        .default('kiosk'),
    );
}

interface Registration {
  readonly session: { readonly id: string; readonly state: string };
  readonly pair: { readonly deeplink: string; readonly expires_at: string };
}

const openRegistration: Action = async (run, _, options) => {
  const { name, externalId } = options;
  const profile = {
    ...(name !== undefined && { fullName: name }),
    ...(externalId !== undefined && { externalId }),
  };
  const result = await clientOf(run, options).call<Registration>('POST', '/v1/registrations', {
    as: apiKeyOf(run, options),
    body: { profile },
  });
  const { session, pair } = result;
  run.show(
    result,
    `Registration ${session.id} is open until the code expires at ${pair.expires_at}.\nNext: svc phone register '${pair.deeplink}'`,
  );
};

const registrationPath = (id: string | undefined) => `/v1/registrations/${encodeURIComponent(String(id))}`;

const showRegistration: Action = async (run, [id], options) => {
  const as = apiKeyOf(run, options);
  const result = await clientOf(run, options).call<Registration>('GET', registrationPath(id), { as });
  run.show(result, `Registration ${result.session.id}: ${result.session.state}.`);
};

const abandonRegistration: Action = async (run, [id], options) => {
  const as = apiKeyOf(run, options);
  const result = await clientOf(run, options).call<Registration>('DELETE', registrationPath(id), { as });
  run.show(result, `Registration ${result.session.id}: ${result.session.state}.`);
};

const openPairing: Action = async (run, _, options) => {
  const client = clientOf(run, options);
  const as = apiKeyOf(run, options);
  const answer = await client.ask('POST', '/v1/proof-pairing/sessions', { as });
  if (answer.status >= 400) throw await refusalOf(client, answer);
  const { session } = answer.body;
  const next = `Next: svc phone pair '${session.qrPayload}'`;
  if (options.wait === false) return run.show({ session }, next);
  run.err.write(run.json ? `${JSON.stringify({ session })}\n` : `${next}\n`);
  const progress = run.progress('Waiting for the phone');
  try {
    const cookie = String(answer.headers.get('set-cookie')).split(';', 1)[0] as string;
    const bound = await watchPairing(client, as, { ...session, cookie }, (said) => {
      progress.end();
      run.err.write(`${said}\n`);
    });
    progress.end();
    run.show(
      bound,
      `Logged in as user ${bound.userId}.\nAccess token:  ${bound.tokens.accessToken}\nRefresh token: ${bound.tokens.refreshToken}`,
    );
  } finally {
    progress.end();
  }
};

const addDevice: Action = async (run, [name], options) => {
  const client = clientOf(run, options);
  const result = await client.call<{
    device: { id: string; name: string };
    enrollment: { code: string; expires_at: string };
  }>('POST', `/api/console/devices?environment=${options.environment}`, {
    as: await consoleToken(run, client),
    body: { name, deviceType: options.type },
  });
  const { device, enrollment } = result;
  run.show(
    result,
    `Device ${device.id} (${plain(device.name)}) waits for its code until ${enrollment.expires_at}.\nNext: svc phone enroll ${enrollment.code}`,
  );
};
