import { fileURLToPath } from 'node:url';
import { VERIFIER_KERNELS } from '@svc/zk/verifier/verifier';
import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from './config.js';

const SECRET = 's'.repeat(32);
const problems = (env: Record<string, string>): string[] => {
  try {
    loadConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message.split('\n').map((line) => line.split(' ', 1)[0] as string);
  }
  return [];
};

describe('the settings', () => {
  const address = (digit: string) => `0x${digit.repeat(40)}`;
  const contracts = { anchorHub: address('a'), groth16Verifier: address('b') };
  const CHAIN = {
    CHAIN_RPC_URL: 'https://node.example.com/v3/key',
    CHAIN_ID: '1',
    CHAIN_PRIVATE_KEY: `0x${'1'.repeat(64)}`,
    CHAIN_CONTRACTS: JSON.stringify({ chainId: 1, ...contracts, relayer: address('c') }),
  };

  const numbered = (chainId: number) => ({
    CHAIN_ID: String(chainId),
    CHAIN_CONTRACTS: JSON.stringify({ chainId, ...contracts }),
  });

  it('for a blockchain must all be set, and CHAIN_CONTRACTS must match CHAIN_ID [anchors/on-chain]', () => {
    expect(loadConfig(CHAIN).chain).toEqual({
      rpcUrl: CHAIN.CHAIN_RPC_URL,
      chainId: 1,
      privateKey: CHAIN.CHAIN_PRIVATE_KEY,
      contracts,
    });
    for (const name of Object.keys(CHAIN) as (keyof typeof CHAIN)[])
      expect(problems({ ...CHAIN, [name]: '' })).toEqual([name]);
    expect(problems({ ...CHAIN, CHAIN_ID: '2' })).toEqual(['CHAIN_CONTRACTS']);
  });

  it('accept any CHAIN_ID up to the largest safe integer', () => {
    for (const chainId of [1_313_161_554, Number.MAX_SAFE_INTEGER])
      expect(loadConfig({ ...CHAIN, ...numbered(chainId) }).chain?.chainId).toBe(chainId);
  });

  it.each([
    ['CHAIN_RPC_URL', 'ws://node.example.com', 'node.example.com', 'file:///tmp/ipc'],
    ['CHAIN_ID', '0', '-1', '0x1', '1e3', '9007199254740992', '9007199254740993', '99999999999999999'],
    [
      'CHAIN_PRIVATE_KEY',
      '1'.repeat(64),
      `0x${'0'.repeat(64)}`,
      `0x${'f'.repeat(64)}`,
      `0x${'1'.repeat(63)}`,
    ],
    ['CHAIN_CONTRACTS', '{}', 'null', '[]', 'x', JSON.stringify({ ...contracts, anchorHub: '0x1' })],
  ])('%s is checked, and its value is never repeated', (name, ...values) => {
    for (const value of values) {
      expect(problems({ ...CHAIN, [name]: value })).toEqual([name]);
      expect(() => loadConfig({ ...CHAIN, [name]: value })).not.toThrow(`: ${value}`);
    }
  });

  it('have defaults for development, and listen on the loopback address [service/host]', () => {
    expect(loadConfig({})).toEqual({
      production: false,
      port: 3000,
      host: '127.0.0.1',
      baseUrl: 'http://localhost:3000',
      docsOrigin: '',
      databaseUrl: undefined,
      redisUrl: undefined,
      dataDir: './data',
      secret: undefined,
      erasuresFile: undefined,
      restoreEpoch: 0,
      previousSecret: undefined,
      adminApiKey: undefined,
      minCeremonyContributors: 0,
      templateRegister: true,
      sunset: undefined,
      demoAuth: false,
      samlAcsUrl: 'http://localhost:3000/v1/auth/saml/callback',
      oidcRedirectUri: 'http://localhost:3000/v1/auth/oidc/callback',
      defaultPlan: 'growth',
      planWindowMultiplier: 1,
      trustProxy: [],
      corsOrigins: [],
      outbound: { allowHttp: false, allowCidrs: [], denyCidrs: [], proxy: undefined },
      mail: undefined,
      metrics: undefined,
      drainSeconds: 0,
      chain: undefined,
      securityContact: undefined,
      supportUrl: undefined,
      product: { name: 'Identity', logo: undefined },
      logLevel: 'info',
    });
  });

  it('default to the plan growth with the embedded database and free otherwise, unless DEFAULT_PLAN is set', () => {
    const plan = (env: Record<string, string>) => loadConfig({ SVC_SECRET: SECRET, ...env }).defaultPlan;
    expect(plan({})).toBe('growth');
    expect(plan({ DATABASE_URL: 'postgres://h/db' })).toBe('free');
    expect(plan({ NODE_ENV: 'production' })).toBe('free');
    for (const env of [{}, { DATABASE_URL: 'postgres://h/db' }, { NODE_ENV: 'production' }])
      expect(plan({ ...env, DEFAULT_PLAN: 'starter' })).toBe('starter');
  });

  it('count as unset when they are blank', () => {
    const names = [
      'PORT',
      'HOST',
      'METRICS_PORT',
      'METRICS_HOST',
      'DRAIN_SECONDS',
      'BASE_URL',
      'DATABASE_URL',
      'DATABASE_READ_URL',
      'REDIS_URL',
      'DATA_DIR',
      'SVC_SECRET',
      'SVC_SECRET_PREVIOUS',
      'ADMIN_API_KEY',
      'REQUIRE_CEREMONY_KEYS',
      'ZK_KERNEL',
      'ENABLE_DEMO_AUTH',
      'ALLOW_DEMO_AUTH_IN_PRODUCTION',
      'SAML_ACS_URL',
      'OIDC_REDIRECT_URI',
      'DEFAULT_PLAN',
      'PLAN_WINDOW_MULTIPLIER',
      'TRUST_PROXY',
      'CORS_ORIGINS',
      'WEBHOOK_ALLOW_HTTP',
      'OUTBOUND_ALLOW_CIDRS',
      'OUTBOUND_DENY_CIDRS',
      'WEBHOOK_PROXY',
      'SMTP_URL',
      'MAIL_FROM',
      'LOG_LEVEL',
      'NODE_ENV',
    ];
    expect(loadConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(loadConfig({}));
  });

  const FLAG = {
    good: ['true', '1', 'false', '0', 'FALSE', 'no', 'off'],
    bad: ['TRUE', 'yes', 'on', '2', ' true'],
  };
  const NO_TARGETS = [
    'app.example/acs',
    'javascript:alert(1)',
    'ftp://app.example/',
    'https://app.example/#x',
    'https://user@app.example/',
    'https://user:pass@app.example/',
    'https://APP.example/',
    'https://app.example',
    'https://app.example/a b',
    'https://app.example/../x',
  ];
  const CASES: Readonly<Record<string, { good: readonly string[]; bad: readonly string[] }>> = {
    PORT: {
      good: ['0', '1', '65535', '08080'],
      bad: ['-1', '65536', '3000x', '3e3', '0x50', ' 80', '1.5', 'http'],
    },
    HOST: {
      good: ['0.0.0.0', '::', '::1', 'localhost', 'my-host.internal'],
      bad: ['a b', 'http://x', 'x/y', 'x;y'],
    },
    BASE_URL: {
      good: ['https://id.example.com', 'http://localhost:8080'],
      bad: [
        'id.example.com',
        'https://x/',
        'https://x/path',
        'ftp://x',
        'https://user:pass@x',
        'javascript:alert(1)',
      ],
    },
    DATABASE_URL: {
      good: ['postgres://u:p@h/db', 'postgresql://h:5432/db?sslmode=require'],
      bad: ['mysql://h/db', 'h:5432/db', 'x'],
    },
    DATABASE_READ_URL: {
      good: ['postgres://u:p@standby/db', 'postgresql://h:5432/db?sslmode=require'],
      bad: ['mysql://h/db', 'h:5432/db', 'x'],
    },
    REDIS_URL: {
      good: ['redis://h', 'redis://:p@h:6380/2', 'rediss://u:p@cache.internal:6379/', 'rediss://u:p%40@h'],
      bad: [
        'h:6379',
        'http://h',
        'redis://',
        'redis://h/x',
        'redis://h/1/2',
        'redis://h?db=1',
        'redis://h#x',
        'redis://:50%@h',
      ],
    },
    SVC_SECRET: { good: [SECRET], bad: ['s'.repeat(31)] },
    SVC_SECRET_PREVIOUS: { good: [SECRET, 'é'.repeat(16)], bad: ['short', 'é'.repeat(15)] },
    ADMIN_API_KEY: { good: ['a'.repeat(32)], bad: ['a'.repeat(31)] },
    REQUIRE_CEREMONY_KEYS: {
      good: ['true', '1', 'false', '0', 'FALSE', 'no', 'off', '3', '1000'],
      bad: ['TRUE', 'yes', '-1', '1.5', '1001', ' 3', '3 people', 'development'],
    },
    ZK_KERNEL: { good: [...VERIFIER_KERNELS], bad: ['FMA', 'wasm', 'auto'] },
    ENABLE_DEMO_AUTH: FLAG,
    ALLOW_DEMO_AUTH_IN_PRODUCTION: FLAG,
    SAML_ACS_URL: { good: ['https://app.example/acs', 'https://app.example/?a=1&b=2'], bad: NO_TARGETS },
    OIDC_REDIRECT_URI: {
      good: ['https://app.example/back'],
      bad: [...NO_TARGETS, 'https://app.example/?a=1'],
    },
    DEFAULT_PLAN: { good: ['free', 'starter', 'growth', 'enterprise'], bad: ['Free', 'gold', 'toString'] },
    PLAN_WINDOW_MULTIPLIER: { good: ['1', '1000000'], bad: ['0', '-1', '1.5', '1000001', '1e3', 'x'] },
    TRUST_PROXY: {
      good: ['10.0.0.1', '10.0.0.0/8', '10.0.0.1, 2001:db8::/32,::1'],
      bad: ['loopback', 'true', '*', '10.0.0.0/33', '10.0.0.1,', 'a.example.com'],
    },
    CORS_ORIGINS: {
      good: ['https://a.test', 'https://a.test, http://localhost:5173'],
      bad: ['*', 'null', 'https://a.test/', 'a.test', 'https://*.a.test', 'https://a.test,'],
    },
    WEBHOOK_ALLOW_HTTP: FLAG,
    OUTBOUND_ALLOW_CIDRS: {
      good: ['127.0.0.1', '10.0.0.0/8', '10.0.0.1, fd00::/8,::1', '::ffff:10.0.0.0/104'],
      bad: ['loopback', '*', '10/8', '10.0.0.0/33', '10.0.0.1,', 'fe80::1%eth0', 'a.example.com'],
    },
    OUTBOUND_DENY_CIDRS: {
      good: ['127.0.0.1', '10.0.0.0/8', '10.0.0.1, fd00::/8,::1', '::ffff:10.0.0.0/104'],
      bad: ['loopback', '*', '10/8', '10.0.0.0/33', '10.0.0.1,', 'fe80::1%eth0', 'a.example.com'],
    },
    WEBHOOK_PROXY: {
      good: ['http://proxy.internal:3128', 'http://10.0.0.1', 'http://user:p%40ss@[::1]:3128/'],
      bad: [
        'proxy:3128',
        'https://proxy:3128',
        'socks5://proxy',
        'http://proxy/path',
        'http://proxy?x',
        'http://proxy#x',
        'http://proxy:0',
        'http://user:50%@proxy',
      ],
    },
    SMTP_URL: {
      good: [
        'smtp://mail.example.com',
        'smtps://user:p%40ss@mail.example.com:465/',
        'smtp://10.0.0.5:25',
        'smtp://user:pass@[::1]:2525',
      ],
      bad: [
        'mail.example.com:587',
        'https://mail.example.com',
        'smtp://',
        'smtp://user@mail.example.com',
        'smtp://:pass@mail.example.com',
        'smtp://user:50%@mail.example.com',
        'smtp://mail.example.com:0',
        'smtp://mail.example.com:65536',
        'smtp://mail.example.com/path',
        'smtp://mail.example.com?tls=no',
        'smtp://mail.example.com#x',
        'smtp://mail_%0a.example.com',
      ],
    },
    MAIL_FROM: {
      good: [
        'svc@example.com',
        'Example <svc@example.com>',
        '"Example, Inc." <svc+1@example.com>',
        '<a@b.test>',
      ],
      bad: [
        'Example',
        'svc@example',
        'svc@example.com, other@example.com',
        'Example <svc@example.com>, x',
        'Ex<ample <svc@example.com>',
        `${'x'.repeat(101)} <svc@example.com>`,
        'Example\r\nBcc: x <svc@example.com>',
        'svc@example.com\n',
        '"svc"@example.com',
      ],
    },
    METRICS_PORT: { good: ['1', '9464', '65535'], bad: ['0', '65536', '-1', 'x', '94.64', '127.0.0.1:9464'] },
    METRICS_HOST: {
      good: ['127.0.0.1', '::1', '10.0.0.5', 'metrics.internal'],
      bad: ['a b', 'http://x', 'x/y'],
    },
    DRAIN_SECONDS: { good: ['0', '5', '60'], bad: ['61', '-1', '0.5', '5s', 'x'] },
    LOG_LEVEL: {
      good: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      bad: ['INFO', 'verbose', '30'],
    },
  };

  it.each(Object.entries(CASES))('%s is checked [service/operator-endpoints]', (name, { good, bad }) => {
    const around: Record<string, string> = {
      ...(name.startsWith('DATABASE_') && { SVC_SECRET: SECRET }),
      ...(name === 'SMTP_URL' && { MAIL_FROM: 'svc@example.com' }),
      ...(name === 'MAIL_FROM' && { SMTP_URL: 'smtp://mail.example.com' }),
      ...(name === 'DATABASE_READ_URL' && { DATABASE_URL: 'postgres://h/db' }),
    };
    for (const value of good) expect(problems({ ...around, [name]: value }), value).toEqual([]);
    for (const value of bad) expect(problems({ ...around, [name]: value }), value).toEqual([name]);
  });

  it('are all checked together, and no value is ever repeated', () => {
    const bad = Object.fromEntries(Object.entries(CASES).map(([name, { bad }]) => [name, `${bad[0]}`]));
    expect(problems(bad)).toEqual(expect.arrayContaining(Object.keys(CASES)));
    const needle = 'needle-that-is-a-secret';
    const hidden = Object.fromEntries(Object.keys(CASES).map((name) => [name, `${needle} /`]));
    expect(() => loadConfig({ ...hidden, NODE_ENV: 'production' })).toThrow(ConfigError);
    try {
      loadConfig({ ...hidden, NODE_ENV: 'production' });
    } catch (error) {
      expect(JSON.stringify([(error as Error).message, (error as Error).stack, error])).not.toContain(needle);
    }
  });

  it('that are addresses of servers may have spaces around them [http/surrounding-space]', () => {
    const around = (text: string) => ` ${text}\t\n`;
    const config = loadConfig({
      DATABASE_URL: around('postgres://h/db'),
      DATABASE_READ_URL: around('postgresql://standby/db'),
      REDIS_URL: around('redis://h'),
      SVC_SECRET: SECRET,
    });
    expect(config).toMatchObject({
      ...{
        databaseUrl: 'postgres://h/db',
        databaseReadUrl: 'postgresql://standby/db',
        redisUrl: 'redis://h',
      },
    });
  });

  it('require a secret in production and with a shared database', () => {
    expect(problems({ NODE_ENV: 'production' })).toEqual(['SVC_SECRET']);
    expect(problems({ DATABASE_URL: 'postgres://h/db' })).toEqual(['SVC_SECRET']);
    expect(problems({ NODE_ENV: 'production', SVC_SECRET: SECRET })).toEqual([]);
    expect(problems({ NODE_ENV: 'production', SVC_SECRET: SECRET, PLAN_WINDOW_MULTIPLIER: '2' })).toEqual([
      'PLAN_WINDOW_MULTIPLIER',
    ]);
  });

  it('allow webhooks without TLS only in development', () => {
    const env = { NODE_ENV: 'production', SVC_SECRET: SECRET };
    expect(loadConfig({ WEBHOOK_ALLOW_HTTP: 'true' }).outbound.allowHttp).toBe(true);
    expect(problems({ ...env, WEBHOOK_ALLOW_HTTP: 'true' })).toEqual(['WEBHOOK_ALLOW_HTTP']);
    expect(problems({ ...env, WEBHOOK_ALLOW_HTTP: 'false' })).toEqual([]);
  });

  it('accept a read replica only of a PostgreSQL server', () => {
    expect(problems({ DATABASE_READ_URL: 'postgres://standby/db' })).toEqual(['DATABASE_READ_URL']);
  });

  it('open no metrics port by default, and never use the port for clients', () => {
    expect(loadConfig({ METRICS_HOST: '10.0.0.5' }).metrics).toBeUndefined();
    expect(loadConfig({ METRICS_PORT: '9464' }).metrics).toEqual({ port: 9464, host: '127.0.0.1' });
    expect(problems({ METRICS_PORT: '3000' })).toEqual(['METRICS_PORT']);
    expect(problems({ METRICS_PORT: '8080', PORT: '8080' })).toEqual(['METRICS_PORT']);
  });

  it('for mail go together, and encrypt unless the server is on this machine [service/mail-settings]', () => {
    const read = (SMTP_URL: string, MAIL_FROM = 'Example <svc@example.com>') =>
      loadConfig({ SMTP_URL, MAIL_FROM }).mail;
    expect(read('smtps://user:p%40ss@mail.example.com')).toEqual({
      server: {
        host: 'mail.example.com',
        port: 465,
        tls: 'immediate',
        login: { user: 'user', password: 'p@ss' },
      },
      from: { name: 'Example', address: 'svc@example.com' },
    });
    expect(read('smtp://10.0.0.5', '"A, B" <a@b.test>')).toEqual({
      server: { host: '10.0.0.5', port: 587, tls: 'starttls', login: undefined },
      from: { name: 'A, B', address: 'a@b.test' },
    });
    for (const host of ['mail.example.com', '127.0.0.1.example.com', '127.1', '0.0.0.0', '[::2]'])
      expect(read(`smtp://${host}`)?.server.tls, host).toBe('starttls');
    for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '127.9.9.9', '[::1]'])
      expect(read(`smtp://${host}:25`)?.server.tls, host).toBe('none');
    expect(read('smtp://[::1]:25')?.server.host).toBe('::1');
    expect(problems({ SMTP_URL: 'smtp://mail.example.com' })).toEqual(['MAIL_FROM']);
    expect(problems({ MAIL_FROM: 'svc@example.com' })).toEqual(['SMTP_URL']);
  });

  it('name the product and its logo, which must be an image', () => {
    const icon = fileURLToPath(new URL('../../../../console/public/phone/icon-192.png', import.meta.url));
    const { product } = loadConfig({ PRODUCT_NAME: 'Entry', PRODUCT_LOGO: icon });
    expect(product).toMatchObject({ name: 'Entry', logo: { type: 'image/png', id: expect.any(String) } });
    for (const PRODUCT_NAME of [' ', 'x'.repeat(61), 'a\nb'])
      expect(problems({ PRODUCT_NAME })).toEqual(['PRODUCT_NAME']);
    for (const PRODUCT_LOGO of ['./no-such-file.png', '.', fileURLToPath(import.meta.url)])
      expect(problems({ PRODUCT_LOGO })).toEqual(['PRODUCT_LOGO']);
  });

  it('name where accounts ask for help, as an https: or mailto: address [console/bar-of-warnings]', () => {
    const support = (SUPPORT_URL: string) => loadConfig({ SUPPORT_URL }).supportUrl;
    for (const url of ['https://example.com/help?from=dashboard', 'mailto:help@example.com?subject=Quota'])
      expect(support(url)).toBe(url);
    for (const SUPPORT_URL of [
      'help@example.com',
      'http://example.com/help',
      'javascript:alert(1)',
      'https://',
      'mailto:',
      'https://example.com/a b',
    ])
      expect(problems({ SUPPORT_URL }), SUPPORT_URL).toEqual(['SUPPORT_URL']);
  });

  it('name where vulnerabilities are reported, as a URI', () => {
    const contact = (SECURITY_CONTACT: string) => loadConfig({ SECURITY_CONTACT }).securityContact;
    expect(contact('security@example.com')).toBe('mailto:security@example.com');
    for (const uri of ['mailto:security@example.com', 'tel:+41-44-668-18-00', 'https://example.com/report'])
      expect(contact(uri)).toBe(uri);
    for (const SECURITY_CONTACT of [
      'us',
      'http://example.com',
      'a b@example.com',
      'a@b\nExpires: never',
      'javascript:0',
    ])
      expect(problems({ SECURITY_CONTACT })).toEqual(['SECURITY_CONTACT']);
  });

  it('drain for three seconds in production and not at all in development', () => {
    expect(loadConfig({}).drainSeconds).toBe(0);
    expect(loadConfig({ NODE_ENV: 'production', SVC_SECRET: SECRET }).drainSeconds).toBe(3);
    expect(loadConfig({ NODE_ENV: 'production', SVC_SECRET: SECRET, DRAIN_SECONDS: '0' }).drainSeconds).toBe(
      0,
    );
  });

  it('are parsed into lists and flags', () => {
    const config = loadConfig({
      PORT: '08080',
      TRUST_PROXY: '10.0.0.1, ::1',
      CORS_ORIGINS: 'https://a.test,https://b.test',
    });
    expect(config).toMatchObject({ port: 8080, baseUrl: 'http://localhost:8080' });
    expect(config.trustProxy).toEqual(['10.0.0.1', '::1']);
    expect(config.corsOrigins).toEqual(['https://a.test', 'https://b.test']);
  });

  it.each([
    ['true', 1],
    ['1', 1],
    ['3', 3],
    ['0', 0],
    ['false', 0],
    ['off', 0],
  ])('REQUIRE_CEREMONY_KEYS=%s requires %d contributors', (value, minimum) => {
    expect(loadConfig({ REQUIRE_CEREMONY_KEYS: value }).minCeremonyContributors).toBe(minimum);
  });
});
