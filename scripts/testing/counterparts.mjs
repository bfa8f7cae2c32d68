// Other people's programs that only `npm test -- --all` runs against ours. Without one, its test is skipped, and a line says so.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { canInstall, install } from './apt.mjs';

/** Debian's Python, which has the packages of Debian. */
const PYTHON = '/usr/bin/python3';

/** @type {Record<string, { title: string, packages: string[], isThere: () => boolean }>} */
const COUNTERPARTS = {
  go: {
    title: 'Go',
    packages: ['golang-go'],
    isThere: () => spawnSync('go', ['version']).error === undefined,
  },
  pg_dump: {
    title: 'the client programs of PostgreSQL',
    packages: ['postgresql-client'],
    isThere: () => spawnSync('pg_dump', ['--version']).error === undefined,
  },
  mod_auth_openidc: {
    title: 'Apache with mod_auth_openidc',
    packages: ['libapache2-mod-auth-openidc'],
    isThere: () =>
      existsSync('/usr/lib/apache2/modules/mod_auth_openidc.so') && existsSync('/usr/sbin/apache2'),
  },
  promtool: {
    title: 'Prometheus',
    packages: ['prometheus'],
    isThere: () => spawnSync('promtool', ['--version']).error === undefined,
  },
  pgbouncer: {
    title: 'PgBouncer',
    packages: ['pgbouncer'],
    isThere: () => existsSync('/usr/sbin/pgbouncer'),
  },
  soffice: {
    title: 'LibreOffice',
    packages: ['libreoffice-calc-nogui'],
    isThere: () => existsSync('/usr/bin/soffice'),
  },
  fido2: {
    title: 'python-fido2',
    packages: ['python3-fido2'],
    isThere: () => spawnSync(PYTHON, ['-c', 'import fido2']).status === 0,
  },
  authlib: {
    title: 'Flask, Authlib and requests-oauthlib',
    packages: ['python3-flask', 'python3-authlib', 'python3-requests', 'python3-requests-oauthlib'],
    isThere: () =>
      spawnSync(PYTHON, ['-c', 'import flask, authlib, requests, requests_oauthlib']).status === 0,
  },
};

export const counterparts = Object.keys(COUNTERPARTS);

export const hasCounterpart = (/** @type {string} */ name) => COUNTERPARTS[name].isThere();

/** Installs what is missing, where that is possible. */
export function tryCounterparts() {
  for (const { title, packages, isThere } of Object.values(COUNTERPARTS)) {
    if (isThere() || !canInstall()) continue;
    const error = install({ name: title, packages, isThere });
    if (error !== undefined) console.error(error);
  }
}
