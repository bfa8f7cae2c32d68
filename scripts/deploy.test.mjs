import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { ERRORS } from '../server/src/model/errors.js';
import { root } from './setup.mjs';

const read = (/** @type {string} */ file) => readFileSync(join(root, file), 'utf8');
const code = read('server/src/base/config/settings.ts') + read('server/src/main.ts');
const dockerfile = read('deploy/Dockerfile');

describe('deploy/compose.yaml', () => {
  /** @type {any} */
  const compose = parseYaml(read('deploy/compose.yaml'));
  const { service, postgres, valkey } = compose.services;

  it('sets only settings that the service reads, with the host names of PostgreSQL and Valkey', () => {
    for (const name of Object.keys(service.environment))
      expect(code, name).toMatch(new RegExp(`\\b${name}\\b`));
    expect(service.environment.DATABASE_URL).toContain('@postgres:5432/svc');
    expect(service.environment.REDIS_URL).toBe('redis://valkey:6379');
    expect(postgres.image).toMatch(/^postgres:\d+$/);
    expect(valkey.image).toMatch(/^valkey\/valkey:\d+$/);
  });

  it('runs the service read-only and without privileges, and waits as long as its shutdown may take', () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    const grace = Number(/^(\d+)s$/.exec(service.stop_grace_period)?.[1]);
    expect(grace).toBeGreaterThan(Number(service.environment.DRAIN_SECONDS) + 6.5);
  });

  it('publishes only the service, only on the loopback address', () => {
    const published = Object.values(compose.services).flatMap(({ ports = [] }) => ports);
    expect(published).toEqual(['127.0.0.1:3000:3000']);
  });
});

describe('deploy/alerts.yaml', () => {
  /** @type {string[]} */
  const alerts = parseYaml(read('deploy/alerts.yaml')).groups.flatMap((/** @type {any} */ group) =>
    group.rules.map((/** @type {any} */ rule) => rule.alert),
  );
  const tests = parseYaml(read('deploy/alerts.test.yaml')).tests.flatMap(
    (/** @type {any} */ test) => test.alert_rule_test,
  );

  it('has a test of each alert in which it fires, and one in which it does not', () => {
    for (const alert of alerts) {
      const fired = tests
        .filter((/** @type {any} */ { alertname }) => alertname === alert)
        .map((/** @type {any} */ test) => test.exp_alerts.length);
      expect(fired.sort(), alert).toEqual([0, 1]);
    }
  });

  it('is explained in docs/operating.md, alert by alert', () => {
    const explained = [...read('docs/operating.md').matchAll(/^\| `(Svc\w+)` \|/gm)].map(
      ([, alert]) => alert,
    );
    expect(explained.sort()).toEqual([...alerts].sort());
  });
});

describe('deploy/Dockerfile', () => {
  it('copies only existing files', () => {
    const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, list]) =>
      list.split(' '),
    );
    expect(sources).toContain('package-lock.json');
    for (const source of sources) expect(existsSync(join(root, source)), source).toBe(true);
  });

  it('copies the manifest of every workspace, because npm ci installs only those', () => {
    for (const workspace of JSON.parse(read('package.json')).workspaces)
      expect(dockerfile.split(`COPY ${workspace}/package.json ${workspace}/`)).toHaveLength(3);
  });

  it('runs Node directly as an unprivileged user, with a health check', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
    expect(last).toMatch(/^USER node$/m);
    expect(last).toMatch(/^CMD \["node", "server\/dist\/bin\/serve\.js"\]$/m);
    expect(last).toContain('HEALTHCHECK');
    expect(read('contract/routes.txt')).toContain(' /api/health/live ');
    expect(dockerfile.match(/^FROM node:24-/gm)).toHaveLength(3);
  });
});

describe('deploy/nginx.conf', () => {
  it('matches the path of every event stream', () => {
    const pattern = /location ~ (\S+) \{/.exec(read('deploy/nginx.conf'))?.[1] ?? 'no location';
    const streams = [...read('contract/routes.txt').matchAll(/^GET\s+(\S+\/stream)\s/gm)].map(
      ([, path]) => path,
    );
    expect(streams.length).toBeGreaterThan(0);
    for (const path of streams) expect(path.replace(/:\w+/, '0190')).toMatch(new RegExp(pattern));
  });

  it('logs the path without the query, and no errors about requests, which contain the query', () => {
    const config = read('deploy/nginx.conf').replaceAll(/^ *#.*$/gm, '');
    const formats = [...config.matchAll(/log_format (\S+) '(.+)';/g)];
    expect(formats.map(([, name]) => name)).toEqual(['service']);
    const variables = [...(formats[0]?.[2] ?? '').matchAll(/\$\w+/g)].map(([name]) => name);
    expect(variables).toContain('$uri');
    expect(variables.filter((name) => /request$|request_uri|args|query|http_|cookie/.test(name))).toEqual([]);
    expect([...config.matchAll(/access_log (.+);/g)].map(([, to]) => to)).toEqual(['/dev/stdout service']);
    const [outside, http] = config.split(/^http \{$/m);
    expect([...(outside ?? '').matchAll(/error_log (.+);/g)].map(([, to]) => to)).toEqual(['stderr warn']);
    expect([...(http ?? '').matchAll(/error_log (.+);/g)].map(([, to]) => to)).toEqual(['/dev/null crit']);
  });

  it('sends its own errors in the service’s envelope', () => {
    const config = read('deploy/nginx.conf');
    const replies = [...config.matchAll(/^ *return (\d+) '(.+)';$/gm)].map(([, status, body = '']) => ({
      status: Number(status),
      ...JSON.parse(body),
    }));
    expect(replies.map(({ error }) => error)).toEqual(['payload_too_large', 'service_unavailable']);
    for (const { status, error, docs, requestId } of replies)
      expect([status, docs, requestId]).toEqual([
        ERRORS[/** @type {keyof typeof ERRORS} */ (error)].status,
        `/docs/errors#${error}`,
        '$request_id',
      ]);
    expect(config).toContain('error_page 502 503 504 =503 @unavailable;');
  });
});
