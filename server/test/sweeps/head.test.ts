// @module-tag ci: every GET again, without its body
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from '../../src/app.js';
import type { Route } from '../../src/http/route.js';
import { type Census, prepareCensus } from '../support/contract/census.js';
import { exampleOf, isOpen, nameOf, type Stage, send, shapeOf } from '../support/contract/examples.js';
import { type Reply, type Service, startService } from '../support/service.js';

const gets = routesOf('0.0.0-test').filter(({ method }) => method === 'GET');
const asHead = (route: Route): Route => ({ ...route, method: 'HEAD' }) as unknown as Route;
/** They begin or end a sign-in, so only GET knows whether it shows a page or redirects. HEAD says that there is a page. */
const SHOWN_OR_REDIRECTED = gets.filter(({ raw, replies }) => raw === true && 303 in replies).map(nameOf);
/** Signed or compressed again for each request, so its length differs a little. */
const VARIED = ['GET /v1/auth/saml/login', 'GET /api/auth/saml/login'];
/** What the service derives when it is first needed: the tiles of the audit tree, and the key of the simulated provider. */
const DERIVED = ['audit_trees', 'audit_tree_tiles', 'demo_idp_keys'];
/** Of an effect, or of content. */
const OWN = [
  'set-cookie',
  'location',
  'content-length',
  'transfer-encoding',
  'connection',
  'x-accel-buffering',
];
const namesOf = ({ headers }: Reply) =>
  Object.keys(headers)
    .filter((name) => !OWN.includes(name))
    .sort();

let service: Service;
let stage: Stage;
let rows: () => Promise<Census>;
beforeAll(async () => {
  service = await startService();
  const census = await prepareCensus(service.db);
  rows = async () => (await census()).filter((table) => !DERIVED.includes((table as { name: string }).name));
});
afterAll(() => service.close());

describe('HEAD', () => {
  it.each(gets.map((route) => [nameOf(route), route] as const))(
    'returns status and headers of %s without a body, and changes nothing',
    async (name, route) => {
      stage = { service, account: await service.signUp({ plan: 'enterprise' }) };
      const prepared = await exampleOf(route)(stage);
      // The key that the example needs is created with the first request.
      await send(route, stage, { prepared: { path: `${shapeOf(route)}?no_such_field=1` } });
      const before = await rows();
      const head = await send(asHead(route), stage, { prepared });
      expect(await rows(), 'no row is changed').toEqual(before);
      expect(head.text).toBe('');
      expect(head.headers).not.toHaveProperty('set-cookie');
      const got = await send(route, stage, { prepared });
      if (SHOWN_OR_REDIRECTED.includes(name)) {
        expect(head.status).toBe(200);
        return;
      }
      expect(head.status, got.text).toBe(got.status);
      expect(namesOf(head)).toEqual(namesOf(got));
      const { 'content-length': length } = head.headers;
      if (length !== undefined && !VARIED.includes(name)) expect(length).toBe(got.headers['content-length']);
    },
  );

  it('is rejected as GET is [http/head]', async () => {
    stage = { service, account: await service.signUp({ plan: 'enterprise' }) };
    for (const route of gets) {
      const rejected = [
        { prepared: { path: `${shapeOf(route)}?no_such_field=1` } },
        ...(isOpen(route) ? [] : [{ as: null }]),
        ...(route.path.includes(':') ? [{ prepared: { path: shapeOf(route) } }] : []),
      ];
      for (const options of rejected) {
        const got = await send(route, stage, options);
        if (got.status < 400 || (route.raw && got.status === 400)) continue;
        const head = await send(asHead(route), stage, options);
        expect([head.status, head.text], nameOf(route)).toEqual([got.status, '']);
        expect(namesOf(head), nameOf(route)).toEqual(namesOf(got));
      }
    }
  });

  it('is in Allow wherever GET is [http/head]', async () => {
    for (const route of gets) {
      const reply = await service.call('TRACE', shapeOf(route));
      expect([reply.status, String(reply.headers.allow).split(', ')], nameOf(route)).toEqual([
        405,
        expect.arrayContaining(['GET', 'HEAD']),
      ]);
    }
  });
});
