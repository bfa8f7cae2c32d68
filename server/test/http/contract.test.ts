import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schemaText } from '../../src/db/schema-text.js';
import { scopesOf } from '../../src/http/route.js';
import { AUDIT_ACTIONS } from '../../src/model/audit-actions.js';
import { ERRORS } from '../../src/model/errors.js';
import { type Service, startService } from '../support/service.js';

const read = (name: string) => readFileSync(new URL(`../../../contract/${name}`, import.meta.url), 'utf8');
const lines = (name: string) =>
  read(name)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

describe('contract/ matches the server:', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  it('openapi.json equals /openapi.json except for the version [http/times] [GET /openapi.json]', async () => {
    const { body } = await service.call('GET', '/openapi.json');
    const { info, ...rest } = JSON.parse(read('openapi.json'));
    expect(body).toEqual({ info: { ...info, version: '0.0.0-test' }, ...rest });
  });

  it('routes.txt lists every route with its credential, scope, limit and an existing file', () => {
    const listed = lines('routes.txt').map((line) => line.split(/\s+/));
    expect(listed.map(([method, path, credential, scope]) => [method, path, credential, scope])).toEqual(
      service.app.routes.map(({ method, path, auth }) => [
        method,
        path,
        [
          auth.kind,
          ...(auth.kind === 'key' && auth.console ? [`session:${auth.console.role}`] : []),
          ...(auth.kind === 'key' && auth.device ? ['device'] : []),
          ...(auth.kind === 'key' && auth.phone ? ['phone'] : []),
        ].join(','),
        scopesOf({ auth }).join(',') || '-',
      ]),
    );
    for (const [, path = '', , , , , file = ''] of listed) {
      const noun = file.split('/')[3];
      expect(
        readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8'),
        `${path} in ${file}`,
      ).toContain('route({');
      expect(noun).toBeDefined();
    }
  });

  it('errors.txt and audit-actions.txt list every code and action', () => {
    expect(lines('errors.txt').map((line) => line.split(' ')[1])).toEqual(Object.keys(ERRORS));
    expect(lines('audit-actions.txt').map((line) => line.split(' ')[0])).toEqual(Object.keys(AUDIT_ACTIONS));
  });

  it('schema.sql equals the migrated schema of this database', async () => {
    const [, ...text] = read('schema.sql').split('\n\n');
    expect(await schemaText(service.db)).toBe(text.join('\n\n'));
  });
});
