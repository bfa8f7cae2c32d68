import { PLANS } from '../../model/plans.js';
import { readSender, readSmtpUrl } from '../mail/settings.js';
import {
  address,
  contact,
  contracts,
  contributors,
  day,
  flag,
  imageFile,
  integer,
  isCidr,
  isDatabaseUrl,
  isHost,
  isName,
  isOrigin,
  isPrivateKey,
  isProxyUrl,
  isRedisUrl,
  isRpcUrl,
  isSupportUrl,
  isTarget,
  list,
  oneOf,
  type Parse,
  when,
} from './values.js';

/** One environment variable: the rule that an error names after "must be", and the value that an unset one has. */
interface Setting<T, Default> {
  readonly rule: string;
  readonly parse: Parse<T>;
  readonly default: Default;
}

function setting<T>(rule: string, parse: Parse<T>): Setting<T, undefined>;
function setting<T>(rule: string, parse: Parse<T>, unset: T): Setting<T, T>;
function setting<T>(rule: string, parse: Parse<T>, unset?: T) {
  return { rule, parse, default: unset };
}

export const ZK_KERNELS = ['fma', 'scalar', 'mcl'] as const;
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const anyText = when(() => true);
const onOrOff = () => setting('`true` or `1`, else `false` or `0`', flag, false);
const addresses = () => setting('addresses or CIDRs, separated by commas', list(isCidr), []);
const database = () => setting('a postgres:// URL', address(isDatabaseUrl));
const secret = () =>
  setting(
    'at least 32 random bytes, as 32 characters or more',
    when((text) => Buffer.byteLength(text) >= 32),
  );

/** Every setting of contract/decisions/service.md. Those without a default here get one from others in `loadConfig`, or are optional. */
export const SETTINGS = {
  NODE_ENV: setting('text', anyText),
  PORT: setting('a port from 0 to 65535', integer(0, 65_535), 3000),
  HOST: setting('an address to listen on', when(isHost), '127.0.0.1'),
  BASE_URL: setting('an http(s) origin without a path', when(isOrigin)),
  METRICS_PORT: setting('a port from 1 to 65535', integer(1, 65_535)),
  METRICS_HOST: setting('an address to listen on', when(isHost), '127.0.0.1'),
  DRAIN_SECONDS: setting('whole seconds from 0 to 60', integer(0, 60)),
  TRUST_PROXY: addresses(),
  CORS_ORIGINS: setting('http(s) origins, separated by commas', list(isOrigin), []),
  LOG_LEVEL: setting(`one of ${LOG_LEVELS.join(', ')}`, oneOf(LOG_LEVELS), 'info'),

  DATABASE_URL: database(),
  DATABASE_READ_URL: database(),
  REDIS_URL: setting('a redis:// or rediss:// URL', address(isRedisUrl)),
  DATA_DIR: setting('a folder', anyText, './data'),
  ERASURES_FILE: setting('a file', anyText),
  RESTORE_EPOCH: setting('an integer from 0', integer(0, 1_000_000), 0),

  SVC_SECRET: secret(),
  SVC_SECRET_PREVIOUS: secret(),
  ADMIN_API_KEY: setting(
    'at least 32 characters',
    when((text) => text.length >= 32),
  ),

  REQUIRE_CEREMONY_KEYS: setting(
    '`true`, `false` or the least number of contributors, up to 1000',
    contributors,
    0,
  ),
  ZK_KERNEL: setting(`one of ${ZK_KERNELS.join(', ')}`, oneOf(ZK_KERNELS)),
  ENABLE_TEMPLATE_REGISTER: onOrOff(),
  SUNSET_DATE: setting('a day, as YYYY-MM-DD', day),

  ENABLE_DEMO_AUTH: onOrOff(),
  ALLOW_DEMO_AUTH_IN_PRODUCTION: onOrOff(),
  SAML_ACS_URL: setting('an absolute http(s) address in normal form, without a fragment', when(isTarget)),
  OIDC_REDIRECT_URI: setting(
    'an absolute http(s) address in normal form, without a query or fragment',
    when((text) => isTarget(text) && !text.includes('?')),
  ),

  DEFAULT_PLAN: setting(`one of ${PLANS.join(', ')}`, oneOf(PLANS)),
  PLAN_WINDOW_MULTIPLIER: setting('an integer from 1', integer(1, 1_000_000), 1),

  WEBHOOK_ALLOW_HTTP: onOrOff(),
  OUTBOUND_ALLOW_CIDRS: addresses(),
  OUTBOUND_DENY_CIDRS: addresses(),
  WEBHOOK_PROXY: setting('an http:// URL without a path', when(isProxyUrl)),

  SMTP_URL: setting(
    'smtp:// or smtps://, optionally user:password@, a host and a port, and nothing after that',
    readSmtpUrl,
  ),
  MAIL_FROM: setting('an e-mail address, or `Name <address>`', readSender),

  CHAIN_RPC_URL: setting('an http(s) address', address(isRpcUrl)),
  CHAIN_ID: setting('the number of a chain', integer(1, Number.MAX_SAFE_INTEGER)),
  CHAIN_PRIVATE_KEY: setting('a private key of secp256k1: 0x and 64 hex digits', when(isPrivateKey)),
  CHAIN_CONTRACTS: setting('the line of JSON that `svc chain deploy --json` prints', contracts),

  SECURITY_CONTACT: setting('an e-mail address, or a mailto:, tel: or https: address', contact),
  SUPPORT_URL: setting('an https: or mailto: address', when(isSupportUrl)),
  PRODUCT_NAME: setting('at most 60 characters', when(isName), 'Identity'),
  PRODUCT_LOGO: setting(
    'the path of a PNG or WebP image, at most 32 KiB and 1024 × 1024 pixels, without animation',
    imageFile,
  ),
};

export type SettingName = keyof typeof SETTINGS;
/** What was read, each as its `parse` returns it. */
export type Settings = {
  readonly [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<infer T, infer Default>
    ? T | Default
    : never;
};

/** Settings that are useless without each other. */
const TOGETHER = {
  'the CHAIN_ settings': ['CHAIN_RPC_URL', 'CHAIN_ID', 'CHAIN_PRIVATE_KEY', 'CHAIN_CONTRACTS'],
  'SMTP_URL and MAIL_FROM': ['SMTP_URL', 'MAIL_FROM'],
} as const satisfies Record<string, readonly SettingName[]>;

/** What must not hold of several settings, and what to say if it does. `isSet` also counts an invalid one. */
const CONFLICTS: readonly [
  (settings: Settings, isSet: (name: SettingName) => boolean) => boolean,
  message: string,
][] = [
  [
    ({ CHAIN_CONTRACTS: deployed, CHAIN_ID: id }) =>
      deployed?.chainId !== undefined && id !== undefined && deployed.chainId !== id,
    'CHAIN_CONTRACTS must be the output for the blockchain in CHAIN_ID',
  ],
  [
    ({ METRICS_PORT: metrics, PORT: port }) => metrics === port,
    'METRICS_PORT must be different from PORT: metrics are not for clients',
  ],
  [
    ({ NODE_ENV: env, DATABASE_URL: database }, isSet) =>
      !isSet('SVC_SECRET') && (env === 'production' || database !== undefined),
    'SVC_SECRET is required in production and with DATABASE_URL',
  ],
  [
    (_, isSet) => isSet('DATABASE_READ_URL') && !isSet('DATABASE_URL'),
    'DATABASE_READ_URL needs DATABASE_URL: the embedded database has no replicas',
  ],
  [
    ({ NODE_ENV: env, PLAN_WINDOW_MULTIPLIER: multiplier }) => env === 'production' && multiplier !== 1,
    'PLAN_WINDOW_MULTIPLIER is for load tests and cannot be used in production',
  ],
  [
    ({ NODE_ENV: env, WEBHOOK_ALLOW_HTTP: allowHttp }) => env === 'production' && allowHttp,
    'WEBHOOK_ALLOW_HTTP is for development and cannot be used in production',
  ],
];

/** Lists each invalid setting by name and rule. Values may be secrets, so they are never repeated. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export type Env = Readonly<Record<string, string | undefined>>;

/**
 * Reads every setting. An empty variable counts as unset, because orchestrators set blank fields to ''.
 * @throws ConfigError with all problems together
 */
export function readSettings(env: Env): Settings {
  const isSet = (name: SettingName) => Boolean(env[name]);
  const problems: string[] = [];
  const read = ([name, { rule, parse, default: unset }]: [string, Setting<unknown, unknown>]) => {
    const text = env[name];
    const value = text ? parse(text) : undefined;
    if (text && value === undefined) problems.push(`${name} must be ${rule}`);
    return [name, value ?? unset];
  };
  const settings = Object.fromEntries(Object.entries(SETTINGS).map(read)) as Settings;
  for (const [what, names] of Object.entries(TOGETHER)) {
    const missing = names.filter((name) => !isSet(name));
    if (missing.length > 0 && missing.length < names.length)
      problems.push(`${missing.join(', ')} must be set too: ${what} go together`);
  }
  for (const [isConflict, message] of CONFLICTS) if (isConflict(settings, isSet)) problems.push(message);
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return settings;
}
