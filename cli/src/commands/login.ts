import * as client from 'openid-client';
import type { Action, Commands, Options, Run } from '../command.js';
import { Failure, UsageError } from '../failure.js';
import { forgetLogin, type Login, readLogin, saveLogin } from '../login-file.js';
import { plain } from '../terminal.js';

export function loginCommands(commands: Commands): void {
  commands
    .command('login', 'sign in on this terminal with a phone', logIn)
    .option('--issuer <url>', 'the issuer of the OpenID Provider (default: SVC_OIDC_ISSUER)')
    .option('--client <id>', 'the id of a client of type device (default: SVC_OIDC_CLIENT)');
  commands.command('whoami', 'show who is signed in on this terminal', whoAmI);
  commands.command('logout', 'end the sign-in of this terminal', logOut);
}

/** An issuer on this machine may have no TLS. */
function isLocal(url: URL): boolean {
  return url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}

async function discover(issuer: string, clientId: string): Promise<client.Configuration> {
  const url = new URL(issuer);
  const execute = [
    client.enableNonRepudiationChecks,
    ...(isLocal(url) ? [client.allowInsecureRequests] : []),
  ];
  try {
    return await client.discovery(url, clientId, undefined, client.None(), { execute });
  } catch (error) {
    throw new Failure(
      'unreachable',
      `The issuer ${issuer} cannot be reached (${messageOf(error)}). It is shown with the application in the dashboard.`,
    );
  }
}

const messageOf = (error: unknown) =>
  error instanceof client.ResponseBodyError
    ? (error.error_description ?? error.error)
    : error instanceof Error
      ? error.message
      : String(error);

function settingsOf({ env }: Run, options: Options): Pick<Login, 'issuer' | 'clientId'> {
  const issuer = String(options.issuer ?? env.SVC_OIDC_ISSUER ?? '');
  const clientId = String(options.client ?? env.SVC_OIDC_CLIENT ?? '');
  if (!/^https?:\/\/./.test(issuer) || clientId === '')
    throw new UsageError(
      'This needs --issuer and --client: the issuer, and an application of the type "device". The dashboard shows both.',
    );
  return { issuer, clientId };
}

const logIn: Action = async (run, _, options) => {
  const settings = settingsOf(run, options);
  const config = await discover(settings.issuer, settings.clientId);
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    const scope = 'openid profile offline_access';
    const device = await client.initiateDeviceAuthorization(config, { scope, prompt: 'consent' });
    const page = device.verification_uri_complete ?? device.verification_uri;
    run.err.write(
      `Open ${page}\nand check that it shows ${device.user_code}. Then approve with your phone.\n`,
    );
    const tokens = await client.pollDeviceAuthorizationGrant(config, device, undefined, {
      signal: stop.signal,
    });
    const subject = tokens.claims()?.sub;
    if (subject === undefined) throw new Failure('refused', 'The issuer sent no ID token.');
    const user = await client.fetchUserInfo(config, tokens.access_token, subject);
    const file = saveLogin(run.env, { ...settings, subject, refreshToken: tokens.refresh_token ?? null });
    const name = typeof user.name === 'string' ? plain(user.name) : subject;
    run.show({ sub: subject, name: user.name ?? null, file }, `Signed in as ${name}.`);
  } catch (error) {
    if (stop.signal.aborted) throw new Failure('refused', 'The sign-in was interrupted.');
    if (error instanceof client.ResponseBodyError)
      throw new Failure('credential', `The sign-in ended: ${plain(messageOf(error))}.`);
    throw error;
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
};

function requireLogin({ env }: Run): Login {
  const login = readLogin(env);
  if (login === undefined)
    throw new Failure('credential', 'Nobody is signed in on this terminal. Use `svc login`.');
  return login;
}

const whoAmI: Action = async (run) => {
  const login = requireLogin(run);
  if (login.refreshToken === null) throw new Failure('credential', 'The sign-in has ended. Use `svc login`.');
  const config = await discover(login.issuer, login.clientId);
  try {
    const tokens = await client.refreshTokenGrant(config, login.refreshToken);
    saveLogin(run.env, { ...login, refreshToken: tokens.refresh_token ?? login.refreshToken });
    const user = await client.fetchUserInfo(config, tokens.access_token, login.subject);
    const name = typeof user.name === 'string' ? plain(user.name) : login.subject;
    run.show(
      { sub: login.subject, name: user.name ?? null, issuer: login.issuer },
      `${name} (${login.issuer})`,
    );
  } catch (error) {
    if (!(error instanceof client.ResponseBodyError)) throw error;
    forgetLogin(run.env);
    throw new Failure('credential', 'The sign-in has ended. Use `svc login`.');
  }
};

const logOut: Action = async (run) => {
  const login = requireLogin(run);
  // Forgotten here even if the server cannot be reached.
  forgetLogin(run.env);
  if (login.refreshToken !== null)
    await client.tokenRevocation(await discover(login.issuer, login.clientId), login.refreshToken);
  run.show({ ok: true }, 'Signed out.');
};
