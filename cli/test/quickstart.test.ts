// @module-tag embedded-ci
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../server/test/support/process.js';
import { type Service, startService } from '../../server/test/support/service.js';
import { asFailure } from '../src/command.js';
import { quickstart } from '../src/phone/quickstart.js';

describe('the quickstart', () => {
  let service: Service;
  let baseUrl: string;

  beforeAll(async () => {
    service = await startService();
    await service.app.http.listen({ port: 0, host: '127.0.0.1' });
    baseUrl = `http://127.0.0.1:${(service.app.http.server.address() as AddressInfo).port}`;
  });
  afterAll(() => service.close());

  it('goes from sign-up to a verified audit chain over HTTP, and prints each step', async () => {
    const steps: string[] = [];
    const lines: string[] = [];
    await quickstart(
      { baseUrl },
      {
        step: (title) => void steps.push(title),
        line: (text) => void lines.push(text),
      },
    );
    expect(steps).toHaveLength(12);
    expect(lines).toContainEqual(expect.stringMatching(/^zkp {2}pass {2}[0-9a-f-]{36}$/));
    expect(lines).toContain('token    rejected from now on');
    expect(lines).toContain('The chain is valid: 7 rows. Every hash and the head’s signature are correct.');
  });

  it('names the next step if no server responds', async () => {
    const silent = { step: () => {}, line: () => {} };
    const unused = `http://127.0.0.1:${await freePort()}`;
    const failure = await quickstart({ baseUrl: unused }, silent).catch(asFailure);
    expect(failure).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('npm start') });
  });
});
