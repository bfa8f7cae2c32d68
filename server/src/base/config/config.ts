import type { Plan } from '../../model/plans.js';
import type { Image } from '../image.js';
import type { MailSettings } from '../mail/settings.js';
import type { OutboundSettings } from '../outbound/outbound.js';
import { type Env, type LOG_LEVELS, readSettings, type Settings, type ZK_KERNELS } from './settings.js';

export { ConfigError } from './settings.js';

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
  /** Serve the deprecated template registration. Default: on outside production, off in production [proofs/templates]. */
  readonly templateRegister: boolean;
  /** The day on which deprecated endpoints will be removed, 00:00 UTC. */
  readonly sunset: Date | undefined;
  /** Serve the simulated SAML and OIDC sign-on. Production needs a second flag [sso/demo-switch]. */
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
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

/** The `CHAIN_…` settings. */
export interface ChainConfig {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly privateKey: string;
  readonly contracts: { readonly anchorHub: string; readonly groth16Verifier: string };
}

function chainOf(settings: Settings): ChainConfig | undefined {
  const { CHAIN_RPC_URL: rpcUrl, CHAIN_ID: chainId, CHAIN_PRIVATE_KEY: privateKey } = settings;
  if (!rpcUrl || !chainId || !privateKey || !settings.CHAIN_CONTRACTS) return undefined;
  const { anchorHub, groth16Verifier } = settings.CHAIN_CONTRACTS;
  return { rpcUrl, chainId, privateKey, contracts: { anchorHub, groth16Verifier } };
}

/** The configuration that the environment variables ask for. @throws ConfigError with all problems together */
export function loadConfig(env: Env): Config {
  const settings = readSettings(env);
  const production = settings.NODE_ENV === 'production';
  const baseUrl = settings.BASE_URL ?? `http://localhost:${settings.PORT}`;
  const { SMTP_URL: server, MAIL_FROM: from, METRICS_PORT: metricsPort } = settings;
  return {
    production,
    port: settings.PORT,
    host: settings.HOST,
    baseUrl,
    docsOrigin: settings.BASE_URL ?? '',
    databaseUrl: settings.DATABASE_URL,
    databaseReadUrl: settings.DATABASE_READ_URL,
    redisUrl: settings.REDIS_URL,
    dataDir: settings.DATA_DIR,
    secret: settings.SVC_SECRET,
    erasuresFile: settings.ERASURES_FILE,
    restoreEpoch: settings.RESTORE_EPOCH,
    previousSecret: settings.SVC_SECRET_PREVIOUS,
    adminApiKey: settings.ADMIN_API_KEY,
    minCeremonyContributors: settings.REQUIRE_CEREMONY_KEYS,
    zkKernel: settings.ZK_KERNEL,
    templateRegister: settings.ENABLE_TEMPLATE_REGISTER || !production,
    sunset: settings.SUNSET_DATE,
    demoAuth: settings.ENABLE_DEMO_AUTH && (settings.ALLOW_DEMO_AUTH_IN_PRODUCTION || !production),
    samlAcsUrl: settings.SAML_ACS_URL ?? `${baseUrl}/v1/auth/saml/callback`,
    oidcRedirectUri: settings.OIDC_REDIRECT_URI ?? `${baseUrl}/v1/auth/oidc/callback`,
    // Test suites on a developer's own machine should not hit a plan's limits.
    defaultPlan: settings.DEFAULT_PLAN ?? (production || settings.DATABASE_URL ? 'free' : 'growth'),
    planWindowMultiplier: settings.PLAN_WINDOW_MULTIPLIER,
    trustProxy: settings.TRUST_PROXY,
    corsOrigins: settings.CORS_ORIGINS,
    outbound: {
      allowHttp: settings.WEBHOOK_ALLOW_HTTP,
      allowCidrs: settings.OUTBOUND_ALLOW_CIDRS,
      denyCidrs: settings.OUTBOUND_DENY_CIDRS,
      proxy: settings.WEBHOOK_PROXY,
    },
    mail: server && from && { server, from },
    metrics: metricsPort === undefined ? undefined : { port: metricsPort, host: settings.METRICS_HOST },
    drainSeconds: settings.DRAIN_SECONDS ?? (production ? 3 : 0),
    chain: chainOf(settings),
    securityContact: settings.SECURITY_CONTACT,
    supportUrl: settings.SUPPORT_URL,
    product: { name: settings.PRODUCT_NAME, logo: settings.PRODUCT_LOGO },
    logLevel: settings.LOG_LEVEL,
  };
}
