// @module-tag needs-python3
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSavedHead, verifyExport } from '../../../cli/src/checks/audit-verify.js';
import { readAll, watchedExports } from '../support/faults/watched-export.js';
import type { Account, Reply, Service } from '../support/service.js';

const example = fileURLToPath(new URL('../../../examples/audit-check.py', import.meta.url));

/** More rows than one page of the export. */
const ROWS = 1_200;

describe('the audit export', () => {
  let service: Service;
  let account: Account;
  let watched: Awaited<ReturnType<typeof watchedExports>>;
  let state: typeof watched.state;

  beforeAll(async () => {
    watched = await watchedExports(/seq between/);
    ({ service, state } = watched);
    account = await service.signUp({ plan: 'enterprise' });
    await fill(account, ROWS);
  });
  afterAll(() => service.close());

  /** Signing up appends two rows; this appends the others in a few writes. */
  async function fill({ tenantId }: Account, rows: number) {
    const scope = { tenantId, environment: 'live' } as const;
    const actor = { type: 'system', id: null } as const;
    for (let made = 2; made < rows; made += 200) {
      await service.app.deps.write({ scope, actor, action: 'device.updated' }, async (w) => {
        for (let n = made; n < Math.min(rows, made + 200); n += 1)
          w.audit({ entityType: 'device', entityId: null, metadata: { n, ok: n % 2 === 0 } });
      });
    }
  }

  const lines = (reply: Reply) => reply.text.trimEnd().split('\n');
  const verdict = (text: string, since?: Parameters<typeof verifyExport>[1]) =>
    verifyExport(
      (async function* () {
        yield Buffer.from(text);
      })(),
      since,
    );

  it('contains the whole audit chain, oldest first, then the signed head, and passes the offline check [audit/export] [GET /v1/audit/export]', async () => {
    const { audit, head } = (await service.call('GET', '/v1/audit?limit=1', { as: account.key })).body;
    const reply = await service.call('GET', '/v1/audit/export', { as: account.key });
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toMatch(/^application\/x-ndjson\b/);
    expect(reply.headers['content-disposition']).toBe(`attachment; filename="audit-live-${ROWS}.jsonl"`);
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.headers).toHaveProperty('x-ratelimit-remaining');
    const rows = lines(reply).map((line) => JSON.parse(line));
    expect(rows).toHaveLength(ROWS + 1);
    expect(rows[0]).toMatchObject({ seq: 1, action: 'tenant.created' });
    expect(rows.at(-1)).toEqual({ environment: 'live', head });
    expect(rows.at(-2)).toEqual(audit[0]);
    expect(await verdict(reply.text)).toMatchObject({ holds: true, environment: 'live' });
  });

  it('is followed by its own event, which the next export contains [audit/exports-are-audited]', async () => {
    const fresh = await service.signUp();
    const first = await service.call('GET', '/v1/audit/export', { as: fresh.key });
    const second = await service.call('GET', '/v1/audit/export', { as: fresh.key });
    const [added, last] = lines(second).slice(lines(first).length - 1);
    expect(JSON.parse(added as string)).toMatchObject({
      seq: 3,
      action: 'tenant.exported',
      metadata: { records: 'audit', count: 2, countIsExact: true },
    });
    expect(await verdict(second.text, await readSavedHead(first.text))).toMatchObject({ holds: true });
    expect(JSON.parse(last as string).head.seq).toBe(3);
  });

  it('passes the Python example, which detects altered and missing rows', async () => {
    const { text } = await service.call('GET', '/v1/audit/export', { as: account.key });
    const folder = mkdtempSync(join(tmpdir(), 'svc-audit-export-'));
    const python = (content: string) => {
      const file = join(folder, 'export.jsonl');
      writeFileSync(file, content);
      const { error, status } = spawnSync('python3', [example, file]);
      if (error) throw new Error(`The example needs python3, which could not be run: ${error.message}`);
      return status;
    };
    try {
      expect(python(text)).toBe(0);
      expect(python(text.replace('"status":"success"', '"status":"failure"'))).toBe(1);
      expect(python(text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1))).toBe(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('contains only the signed head for an environment without events', async () => {
    const fresh = await service.signUp();
    const reply = await service.call('GET', '/v1/audit/export?environment=test', {
      session: fresh.token,
    });
    expect(lines(reply)).toHaveLength(1);
    expect(await verdict(reply.text)).toMatchObject({ holds: true, environment: 'test', head: { seq: 0 } });
  });

  it('has the same events in a session, by default of the live environment [GET /v1/audit/export]', async () => {
    const own = await service.signUp({ plan: 'enterprise' });
    const eventsOf = (reply: Reply) => lines(reply).slice(0, -1);
    let before = eventsOf(await service.call('GET', '/v1/audit/export', { as: own.key }));
    for (const query of ['', '?environment=live']) {
      const path = `/v1/audit/export${query}`;
      const events = eventsOf(await service.call('GET', path, { session: own.token }));
      expect(events.slice(0, -1), 'and the event of the export before').toEqual(before);
      before = events;
    }
    const other = await service.call('GET', '/v1/audit/export?environment=both', {
      session: account.token,
    });
    expect(other.body).toMatchObject({ error: 'invalid_request' });
  });

  it('extends a head stored earlier, but not another tenant’s', async () => {
    const fresh = await service.signUp();
    const list = await service.call('GET', '/v1/audit', { as: fresh.key });
    const storedHead = await readSavedHead(JSON.stringify(list.body));
    await service.call('POST', '/v1/devices', { as: fresh.key, body: { name: 'Gate' } });
    const { text } = await service.call('GET', '/v1/audit/export', { as: fresh.key });
    expect(await verdict(text, storedHead)).toMatchObject({ holds: true, head: { seq: 3 } });
    const foreign = await service.call('GET', '/v1/audit/export', { as: account.key });
    expect(await verdict(foreign.text, storedHead)).toMatchObject({ holds: false });
  });

  it('ends at the head that it started with, while writes continue', async () => {
    const reading = service.call('GET', '/v1/audit/export', { as: account.key });
    const body = { name: 'Gate' };
    const writes = await Promise.all(
      Array.from({ length: 8 }, () => service.call('POST', '/v1/devices', { as: account.key, body })),
    );
    expect(writes.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(await verdict((await reading).text)).toMatchObject({ holds: true });
  });

  const open = (path = '/v1/audit/export', as = account.key) => watched.open(path, as);

  it('does not block writes while its client stops reading', async () => {
    const reply = await open();
    reply.pause();
    const body = { name: 'Gate' };
    expect((await service.call('POST', '/v1/devices', { as: account.key, body })).status).toBe(201);
    reply.destroy();
  });

  it.each([
    ['its key is revoked', 'key', 'update api_keys set revoked_at = now() where tenant_id = $1'],
    ['its account is suspended', 'key', `update tenants set status = 'suspended' where id = $1`],
    ['its session ends', 'token', 'update tenants set token_version = token_version + 1 where id = $1'],
  ] as const)('is aborted when %s', async (_, credential, text) => {
    const own = await service.signUp({ plan: 'enterprise' });
    await fill(own, 600);
    state.afterPage = () => service.db.query({ text, values: [own.tenantId] });
    const reply = await open('/v1/audit/export', own[credential]);
    await expect(readAll(reply)).rejects.toThrow(/aborted/);
    state.afterPage = async () => undefined;
  });

  it('returns 503 if it fails before the first row, and is visibly incomplete if it fails later', async () => {
    state.pages = 0;
    state.failFrom = 1;
    const rejected = await service.call('GET', '/v1/audit/export', { as: account.key });
    expect(rejected.status).toBe(503);
    expect(rejected.headers).toHaveProperty('retry-after');

    state.pages = 0;
    state.failFrom = 2;
    const reply = await open();
    let text = '';
    const ended = readAll(reply, (piece) => {
      text += piece;
    });
    await expect(ended).rejects.toThrow(/aborted/);
    state.failFrom = Number.POSITIVE_INFINITY;
    expect(text).not.toContain('"head"');
    expect(await verdict(text)).toMatchObject({ holds: false });
    expect(service.logged.join('')).toContain('response aborted');
  });
});
