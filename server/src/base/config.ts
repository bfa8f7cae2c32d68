import { readFileSync } from 'node:fs';
import ipaddr from 'ipaddr.js';
import { PLANS, type Plan } from '../model/plans.js';
import { parseUrl } from '../model/url.js';
import { type Image, readImage } from './image.js';
import { type MailSettings, readSender, readSmtpUrl } from './mail/settings.js';
import type { OutboundSettings } from './outbound/outbound.js';

export interface Config {
  readonly production: boolean;
  readonly port: number;
  readonly host: string;
  /** The base URL that clients use, without a trailing slash. Never derived from a request. */
  readonly baseUrl: string;
  /** Prefix of an error's `docs`: `baseUrl` if BASE_URL is set, otherwise empty, so that `docs` is a path. */
  readonly docsOrigin: string;
  /** Absent: use the embedded database in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** A standby server that lists are read from. Absent: the database serves them. */
  readonly databaseReadUrl: string | undefined;
  /** Absent: a single node, or nodes that each count rate limits alone. */
  readonly redisUrl: string | undefined;
  readonly dataDir: string;
  /** Absent: generated once in `dataDir` (embedded database only). */
  readonly secret: string | undefined;
  /** The file that gets a line for each erasure, before it is acknowledged. Absent: none is kept. */
  readonly erasuresFile: string | undefined;
  /** How often the database was restored from a backup. */
  readonly restoreEpoch: number;
  readonly previousSecret: string | undefined;
  readonly adminApiKey: string | undefined;
  /** Minimum number of contributors to the ceremony of the pinned keys. 0 accepts any keys. */
  readonly minCeremonyContributors: number;
  /** What verifies proofs. Absent: the fastest that works on this machine. */
  readonly zkKernel: (typeof ZK_KERNELS)[number] | undefined;
  /** Serve the deprecated template registration. Default: on outside production, off in production (DECISIONS §5). */
  readonly templateRegister: boolean;
  /** The day on which deprecated endpoints will be removed, 00:00 UTC. */
  readonly sunset: Date | undefined;
  /** Serve the simulated SAML and OIDC sign-on. Production needs a second flag (DECISIONS §8). */
  readonly demoAuth: boolean;
  /** The only URLs that identity providers may redirect a browser to. */
  readonly samlAcsUrl: string;
  readonly oidcRedirectUri: string;
  readonly defaultPlan: Plan;
  readonly planWindowMultiplier: number;
  readonly trustProxy: readonly string[];
  readonly corsOrigins: readonly string[];
  /** Requests to addresses that tenants gave. */
  readonly outbound: OutboundSettings;
  /** The mail server and the sender. Absent: no mail is sent. */
  readonly mail: MailSettings | undefined;
  /** Where Prometheus scrapes. Absent: metrics are not served. */
  readonly metrics: { readonly port: number; readonly host: string } | undefined;
  /** How long `/api/health/ready` returns 503 before the server stops listening. */
  readonly drainSeconds: number;
  /** The blockchain that records are anchored on. Absent: none. */
  readonly chain: ChainConfig | undefined;
  /** Where vulnerabilities are reported, as a URI. Absent: the page about security. */
  readonly securityContact: string | undefined;
  /** Where accounts ask for help or a larger plan. Absent: the dashboard links to nothing. */
  readonly supportUrl: string | undefined;
  /** What this installation is called, and its logo. */
  readonly product: { readonly name: string; readonly logo: Image | undefined };
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
}

/** The `CHAIN_…` settings. */
export interface ChainConfig {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly privateKey: string;
  readonly contracts: { readonly anchorHub: string; readonly groth16Verifier: string };
}

/** Lists each invalid setting by name and rule. Values may be secrets, so they are never repeated. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const ZK_KERNELS = ['fma', 'scalar', 'mcl'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** URL accepts a `*` in a host name, but it has no meaning here. */
const isOrigin = (text: string) => {
  const url = parseUrl(text);
  return url?.origin === text && /^https?:$/.test(url.protocol) && !text.includes('*');
};

/** An absolute http(s) URL in normal form, so that URLs can be compared as text. */
const isTarget = (text: string) => {
  const url = parseUrl(text);
  return url?.href === text && /^https?:\/\/[^@#]+$/.test(text) && url.username === '';
};

const isCidr = (text: string) => {
  try {
    const [address = '', ...prefix] = text.split('/');
    // Other software reads `1` or `10/8` as an address or a hop count, so only the full form is accepted.
    if (!address.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(address)) return false;
    if (address.includes('%')) return false;
    return prefix.length > 0 ? ipaddr.parseCIDR(text).length === 2 : ipaddr.isValid(text);
  } catch {
    return false;
  }
};

/** The path may only be a database number. */
const isRedisUrl = (text: string) => {
  const url = parseUrl(text);
  if (url === undefined) return false;
  const { protocol, hostname, pathname, search, hash, username, password } = url;
  if (!/^rediss?:$/.test(protocol) || hostname === '' || search + hash !== '') return false;
  return /^(\/\d{0,5})?$/.test(pathname) && !/%(?![0-9a-f]{2})/i.test(username + password);
};

/** A forward proxy. User info is for its Proxy-Authorization. */
const isProxyUrl = (text: string) => {
  const url = parseUrl(text);
  if (url === undefined || !/^http:\/\/[^/?#]+\/?$/.test(text)) return false;
  const { username, password, port } = url;
  return port !== '0' && !/%(?![0-9a-f]{2})/i.test(username + password);
};

const isDatabaseUrl = (text: string) => /^postgres(ql)?:$/.test(parseUrl(text)?.protocol ?? '');

/** A contact as a URI; undefined if it is neither an e-mail address nor one of these. */
function readContact(text: string): string | undefined {
  const uri = /^[^\s:/@]+@[^\s:/@]+$/.test(text) ? `mailto:${text}` : text;
  return /^(mailto:[^\s@]+@[^\s@]+|tel:\+[\d-]+|https:\/\/[^\s]+)$/.test(uri) && parseUrl(uri)
    ? uri
    : undefined;
}

/** Where a link of the dashboard may lead. */
const isSupportUrl = (text: string) =>
  /^(mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s]+)$/.test(text) && parseUrl(text) !== undefined;

/** The image in a file; undefined if it cannot be used. */
function readImageFile(path: string): Image | undefined {
  try {
    const image = readImage(readFileSync(path));
    return typeof image === 'string' ? undefined : image;
  } catch {
    return undefined;
  }
}

const CHAIN_SETTINGS = ['CHAIN_RPC_URL', 'CHAIN_ID', 'CHAIN_PRIVATE_KEY', 'CHAIN_CONTRACTS'] as const;

/** The order of secp256k1. A private key is greater than 0 and less than this. */
const KEY_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const isPrivateKey = (text: string) =>
  /^0x[0-9a-fA-F]{64}$/.test(text) && BigInt(text) > 0n && BigInt(text) < KEY_ORDER;

const isRpcUrl = (text: string) => /^https?:$/.test(parseUrl(text)?.protocol ?? '');

/** The JSON line printed by `svc chain deploy --json`. Only the addresses are read. */
function readContracts(text: string): (ChainConfig['contracts'] & { readonly of: unknown }) | undefined {
  try {
    const { anchorHub, groth16Verifier, chainId: of } = JSON.parse(text) as Record<string, unknown>;
    const isAddress = (value: unknown): value is string =>
      typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value);
    return isAddress(anchorHub) && isAddress(groth16Verifier)
      ? { anchorHub, groth16Verifier, of }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Reads every setting in DECISIONS §10 and reports all problems together. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one line for each setting
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  /** An empty variable counts as unset, because orchestrators set blank fields to ''. */
  const text = (name: string) => env[name] || undefined;
  const checked = <T>(
    name: string,
    rule: string,
    fallback: T,
    parse: (value: string) => T | undefined,
  ): T => {
    const value = text(name);
    if (value === undefined) return fallback;
    const parsed = parse(value);
    if (parsed === undefined) problems.push(`${name} must be ${rule}`);
    return parsed ?? fallback;
  };
  const when = (test: (value: string) => boolean) => (value: string) => (test(value) ? value : undefined);
  /** `URL` ignores spaces around an address, as the last line of a file leaves them. The clients that get it do not. */
  const address = (test: (value: string) => boolean) => (value: string) => when(test)(value.trim());
  const integer = (min: number, max: number) => (value: string) =>
    /^[0-9]{1,16}$/.test(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined;
  const flag = (name: string) =>
    checked(name, '`true` or `1`, else `false` or `0`', false, (value) =>
      /^(true|1)$/.test(value) ? true : /^(false|0|no|off)$/i.test(value) ? false : undefined,
    );
  const list = (name: string, rule: string, test: (item: string) => boolean) =>
    checked<readonly string[]>(name, rule, [], (value) => {
      const items = value.split(',').map((item) => item.trim());
      return items.every(test) ? items : undefined;
    });
  const day = (value: string) => {
    const date = new Date(`${value}T00:00:00.000Z`);
    return /^\d{4}-/.test(value) && date.toJSON()?.startsWith(`${value}T`) ? date : undefined;
  };
  const oneOf =
    <T extends string>(values: readonly T[]) =>
    (value: string) =>
      values.find((item) => item === value);

  const readChain = (): ChainConfig | undefined => {
    const rpcUrl = checked('CHAIN_RPC_URL', 'an http(s) address', undefined, address(isRpcUrl));
    const chainId = checked(
      'CHAIN_ID',
      'the number of a chain',
      undefined,
      integer(1, Number.MAX_SAFE_INTEGER),
    );
    const privateKey = checked(
      'CHAIN_PRIVATE_KEY',
      'a private key of secp256k1: 0x and 64 hex digits',
      undefined,
      when(isPrivateKey),
    );
    const contracts = checked(
      'CHAIN_CONTRACTS',
      'the line of JSON that `svc chain deploy --json` prints',
      undefined,
      readContracts,
    );
    const missing = CHAIN_SETTINGS.filter((name) => text(name) === undefined);
    if (missing.length > 0 && missing.length < CHAIN_SETTINGS.length)
      problems.push(`${missing.join(', ')} must be set too: the CHAIN_ settings go together`);
    if (!rpcUrl || !chainId || !privateKey || !contracts) return undefined;
    const { of, ...addresses } = contracts;
    if (of !== undefined && of !== chainId)
      problems.push('CHAIN_CONTRACTS must be the output for the blockchain in CHAIN_ID');
    return { rpcUrl, chainId, privateKey, contracts: addresses };
  };

  const readMail = (): MailSettings | undefined => {
    const rule = 'smtp:// or smtps://, optionally user:password@, a host and a port, and nothing after that';
    const server = checked('SMTP_URL', rule, undefined, readSmtpUrl);
    const from = checked('MAIL_FROM', 'an e-mail address, or `Name <address>`', undefined, readSender);
    const missing = ['SMTP_URL', 'MAIL_FROM'].filter((name) => text(name) === undefined);
    if (missing.length === 1)
      problems.push(`${missing[0]} must be set too: SMTP_URL and MAIL_FROM go together`);
    return server && from && { server, from };
  };

  const production = text('NODE_ENV') === 'production';
  const port = checked('PORT', 'a port from 0 to 65535', 3000, integer(0, 65_535));
  const baseUrl = checked(
    'BASE_URL',
    'an http(s) origin without a path',
    `http://localhost:${port}`,
    when(isOrigin),
  );
  const isHost = when((value) => /^[0-9a-zA-Z.:_-]+$/.test(value));
  const metricsPort = checked('METRICS_PORT', 'a port from 1 to 65535', undefined, integer(1, 65_535));
  const metricsHost = checked('METRICS_HOST', 'an address to listen on', '127.0.0.1', isHost);
  const demoAllowed = flag('ALLOW_DEMO_AUTH_IN_PRODUCTION');
  const secretRule = 'at least 32 random bytes, as 32 characters or more';
  const isSecret = when((value) => Buffer.byteLength(value) >= 32);
  const config: Config = {
    production,
    port,
    host: checked('HOST', 'an address to listen on', '127.0.0.1', isHost),
    baseUrl,
    docsOrigin: text('BASE_URL') === undefined ? '' : baseUrl,
    databaseUrl: checked('DATABASE_URL', 'a postgres:// URL', undefined, address(isDatabaseUrl)),
    databaseReadUrl: checked('DATABASE_READ_URL', 'a postgres:// URL', undefined, address(isDatabaseUrl)),
    redisUrl: checked('REDIS_URL', 'a redis:// or rediss:// URL', undefined, address(isRedisUrl)),
    dataDir: text('DATA_DIR') ?? './data',
    secret: checked('SVC_SECRET', secretRule, undefined, isSecret),
    erasuresFile: text('ERASURES_FILE'),
    restoreEpoch: checked('RESTORE_EPOCH', 'an integer from 0', 0, integer(0, 1_000_000)),
    previousSecret: checked('SVC_SECRET_PREVIOUS', secretRule, undefined, isSecret),
    adminApiKey: checked(
      'ADMIN_API_KEY',
      'at least 32 characters',
      undefined,
      when((value) => value.length >= 32),
    ),
    minCeremonyContributors: checked(
      'REQUIRE_CEREMONY_KEYS',
      '`true`, `false` or the least number of contributors, up to 1000',
      0,
      (value) => (value === 'true' ? 1 : /^(false|no|off)$/i.test(value) ? 0 : integer(0, 1000)(value)),
    ),
    zkKernel: checked('ZK_KERNEL', `one of ${ZK_KERNELS.join(', ')}`, undefined, oneOf(ZK_KERNELS)),
    templateRegister: flag('ENABLE_TEMPLATE_REGISTER') || !production,
    sunset: checked('SUNSET_DATE', 'a day, as YYYY-MM-DD', undefined, day),
    demoAuth: flag('ENABLE_DEMO_AUTH') && (demoAllowed || !production),
    samlAcsUrl: checked(
      'SAML_ACS_URL',
      'an absolute http(s) address in normal form, without a fragment',
      `${baseUrl}/v1/auth/saml/callback`,
      when(isTarget),
    ),
    oidcRedirectUri: checked(
      'OIDC_REDIRECT_URI',
      'an absolute http(s) address in normal form, without a query or fragment',
      `${baseUrl}/v1/auth/oidc/callback`,
      when((value) => isTarget(value) && !value.includes('?')),
    ),
    defaultPlan: checked(
      'DEFAULT_PLAN',
      `one of ${PLANS.join(', ')}`,
      // Test suites on a developer's own machine should not hit a plan's limits.
      production || text('DATABASE_URL') !== undefined ? 'free' : 'growth',
      oneOf(PLANS),
    ),
    planWindowMultiplier: checked('PLAN_WINDOW_MULTIPLIER', 'an integer from 1', 1, integer(1, 1_000_000)),
    trustProxy: list('TRUST_PROXY', 'addresses or CIDRs, separated by commas', isCidr),
    corsOrigins: list('CORS_ORIGINS', 'http(s) origins, separated by commas', isOrigin),
    outbound: {
      allowHttp: flag('WEBHOOK_ALLOW_HTTP'),
      allowCidrs: list('OUTBOUND_ALLOW_CIDRS', 'addresses or CIDRs, separated by commas', isCidr),
      denyCidrs: list('OUTBOUND_DENY_CIDRS', 'addresses or CIDRs, separated by commas', isCidr),
      proxy: checked('WEBHOOK_PROXY', 'an http:// URL without a path', undefined, when(isProxyUrl)),
    },
    mail: readMail(),
    metrics: metricsPort === undefined ? undefined : { port: metricsPort, host: metricsHost },
    drainSeconds: checked('DRAIN_SECONDS', 'whole seconds from 0 to 60', production ? 3 : 0, integer(0, 60)),
    chain: readChain(),
    securityContact: checked(
      'SECURITY_CONTACT',
      'an e-mail address, or a mailto:, tel: or https: address',
      undefined,
      readContact,
    ),
    supportUrl: checked('SUPPORT_URL', 'an https: or mailto: address', undefined, when(isSupportUrl)),
    product: {
      name: checked(
        'PRODUCT_NAME',
        'at most 60 characters',
        'Identity',
        when((value) => value.trim() !== '' && value.length <= 60 && !/\p{Cc}/u.test(value)),
      ),
      logo: checked(
        'PRODUCT_LOGO',
        'the path of a PNG or WebP image, at most 32 KiB and 1024 × 1024 pixels, without animation',
        undefined,
        readImageFile,
      ),
    },
    logLevel: checked('LOG_LEVEL', `one of ${LOG_LEVELS.join(', ')}`, 'info', oneOf(LOG_LEVELS)),
  };
  if (metricsPort === port)
    problems.push('METRICS_PORT must be different from PORT: metrics are not for clients');
  if (text('SVC_SECRET') === undefined && (production || config.databaseUrl !== undefined)) {
    problems.push('SVC_SECRET is required in production and with DATABASE_URL');
  }
  if (text('DATABASE_READ_URL') !== undefined && text('DATABASE_URL') === undefined) {
    problems.push('DATABASE_READ_URL needs DATABASE_URL: the embedded database has no replicas');
  }
  if (production && config.planWindowMultiplier !== 1) {
    problems.push('PLAN_WINDOW_MULTIPLIER is for load tests and cannot be used in production');
  }
  if (production && config.outbound.allowHttp) {
    problems.push('WEBHOOK_ALLOW_HTTP is for development and cannot be used in production');
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return config;
}
