import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.js';
import { deleteExpired } from '../../src/jobs.js';
import { ADMIN_KEY, manualClock, type Service, START, startService } from '../support/service.js';

const PILOT = { name: 'Ada Example', company: 'Example AG', email: 'Ada@Example.com', size: '50-200' };
const admin = { headers: { 'x-api-key': ADMIN_KEY } };
let addresses = 0;
const freshAddress = () => {
  addresses += 1;
  return `198.18.${addresses >> 8}.${addresses & 255}`;
};

describe('leads', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  const send = (form: string, body: unknown, address = freshAddress()) =>
    service.call('POST', `/api/leads/${form}`, { body, address });
  const stored = (id: string) => service.db.query(sql`select * from leads where id = ${id}`);

  it('from the pilot form are stored with trimmed fields and a normalized e-mail [service/leads] [service/fields-of-a-lead] [POST /api/leads/pilot]', async () => {
    const reply = await send('pilot', { ...PILOT, name: '  Ada Example ', company: '\tExample AG  ' });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      lead: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), createdAt: '2026-05-12T09:30:00.000Z' },
    });
    expect(await stored(reply.body.lead.id)).toMatchObject([
      { type: 'pilot', name: 'Ada Example', company: 'Example AG', email: 'ada@example.com', size: '50-200' },
    ]);
    expect((await send('pilot', { ...PILOT, size: 120 })).status).toBe(201);
  });

  it('from the whitepaper form return the URL of the PDF, which can be downloaded [POST /api/leads/whitepaper] [GET /downloads/whitepaper.pdf]', async () => {
    const reply = await send('whitepaper', { email: 'ada@example.com' });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({ lead: expect.any(Object), downloadUrl: '/downloads/whitepaper.pdf' });
    const pdf = await service.app.http.inject({ method: 'GET', url: reply.body.downloadUrl });
    expect(pdf.statusCode).toBe(200);
    expect(pdf.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'inline; filename="identity-verification.pdf"',
      'cache-control': 'public, max-age=3600',
      'x-content-type-options': 'nosniff',
    });
    expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pdf.rawPayload.subarray(-6).toString()).toBe('%%EOF\n');
    const text = pdf.rawPayload.toString('latin1');
    expect(text).toContain('/Title (Verifying people without storing biometrics)');
    expect(text).toContain('/Lang (en)');
    const pages = text.match(/\/Type \/Page\b/g) ?? [];
    expect(pages.length).toBeGreaterThanOrEqual(3);
    expect(pages.length).toBeLessThanOrEqual(5);
  });

  it.each([
    ['pilot', { ...PILOT, email: 'not an address' }],
    ['pilot', { ...PILOT, email: 'ada@localhost' }],
    ['pilot', { ...PILOT, name: '   ' }],
    ['pilot', { ...PILOT, size: '' }],
    ['pilot', { ...PILOT, size: -1 }],
    ['pilot', { ...PILOT, size: 1.5 }],
    ['pilot', { ...PILOT, size: null }],
    ['pilot', { ...PILOT, company: 'x'.repeat(201) }],
    ['pilot', { email: PILOT.email }],
    ['whitepaper', {}],
    ['whitepaper', PILOT],
    ['whitepaper', { email: ['ada@example.com'] }],
    ['whitepaper', { email: `${'a'.repeat(250)}@example.com` }],
  ])('are rejected and not stored when invalid: %s %j', async (form, body) => {
    const count = async () =>
      (await service.db.query<{ n: number }>(sql`select count(*) as n from leads`))[0]!.n;
    const before = await count();
    const reply = await send(form, body);
    expect(reply.status).toBe(400);
    expect(reply.body.error).toBe('invalid_request');
    expect(await count()).toBe(before);
  });

  it('are limited to ten a minute from one address, over both forms [service/leads]', async () => {
    const address = freshAddress();
    for (let call = 0; call < 10; call += 1) {
      const form = call % 2 === 0 ? 'pilot' : 'whitepaper';
      const reply = await send(form, form === 'pilot' ? PILOT : { email: PILOT.email }, address);
      expect(reply.status).toBe(201);
    }
    for (const form of ['pilot', 'whitepaper']) {
      const rejected = await send(form, {}, address);
      expect(rejected.body.error).toBe('rate_limit_exceeded');
      expect(rejected.headers['retry-after']).toBe('60');
    }
    expect((await send('pilot', PILOT)).status).toBe(201);
    service.clock.advance(60_000);
    expect((await send('pilot', PILOT, address)).status).toBe(201);
  });

  it('are listed only for the admin, newest first, by type and in pages [GET /api/leads]', async () => {
    // Leads belong to no account, and other suites leave some in this database. A clock in 2099 makes these the newest.
    const service = await startService({ clock: manualClock(Date.parse('2099-01-01T00:00:00.000Z')) });
    const send = (form: string, body: unknown) =>
      service.call('POST', `/api/leads/${form}`, { body, address: freshAddress() });
    const newestFirst: string[] = [];
    for (const form of ['pilot', 'whitepaper', 'pilot', 'pilot']) {
      service.clock.advance(1);
      const reply = await send(form, form === 'pilot' ? PILOT : { email: PILOT.email });
      newestFirst.unshift(reply.body.lead.id);
    }
    const account = await service.signUp();
    expect((await service.call('GET', '/api/leads', { as: account.key })).status).toBe(401);
    expect((await service.call('GET', '/api/leads', {})).body.error).toBe('missing_api_key');

    const all = await service.call('GET', '/api/leads?limit=4', admin);
    expect(all.status).toBe(200);
    expect(all.headers['cache-control']).toBe('no-store');
    expect(all.body.leads.map((lead: { id: string }) => lead.id)).toEqual(newestFirst);
    expect(all.body.leads[0]).toEqual({
      id: newestFirst[0],
      type: 'pilot',
      email: 'ada@example.com',
      name: 'Ada Example',
      company: 'Example AG',
      size: '50-200',
      createdAt: expect.any(String),
    });
    expect(all.body.leads[2]).toMatchObject({ type: 'whitepaper', name: null, company: null, size: null });

    const first = await service.call('GET', '/api/leads?type=pilot&limit=2', admin);
    const cursor: string = first.body.nextCursor;
    const second = await service.call('GET', `/api/leads?type=pilot&limit=1&cursor=${cursor}`, admin);
    const ids = [...first.body.leads, ...second.body.leads].map((lead: { id: string }) => lead.id);
    expect(ids).toEqual([newestFirst[0], newestFirst[1], newestFirst[3]]);
    for (const bad of [
      `type=whitepaper&cursor=${cursor}`,
      `cursor=${cursor}`,
      'type=all',
      'limit=0',
      'limit=101',
    ])
      expect((await service.call('GET', `/api/leads?${bad}`, admin)).status, bad).toBe(400);
    await service.close();
  });

  it('are deleted after twelve months, and not a millisecond earlier', async () => {
    const clock = manualClock(START);
    const reply = await send('whitepaper', { email: 'old@example.com' });
    await service.db.query(
      sql`update leads set created_at = ${new Date('2025-05-12T09:30:00.000Z')} where id = ${reply.body.lead.id}`,
    );
    await deleteExpired({ ...service.app.deps, clock });
    expect(await stored(reply.body.lead.id)).toHaveLength(1);
    clock.advance(1);
    await deleteExpired({ ...service.app.deps, clock });
    expect(await stored(reply.body.lead.id)).toHaveLength(0);
  });

  it('never appear in log lines or audit rows', async () => {
    const body = {
      name: 'Needle Name',
      company: 'Needle GmbH',
      email: 'needle@needle.example',
      size: 'needle-size',
    };
    const events = async () =>
      (await service.db.query<{ n: number }>(sql`select count(*) as n from audit_events`))[0]!.n;
    const before = await events();
    await send('pilot', body);
    await send('whitepaper', { email: body.email });
    await send('pilot', { ...body, irisCode: 'x' });
    await service.db.script(
      "alter table leads add constraint tripwire check (company <> 'Needle GmbH') not valid",
    );
    try {
      expect((await send('pilot', body)).status).toBe(500);
    } finally {
      await service.db.script('alter table leads drop constraint tripwire');
    }
    expect(await events()).toBe(before);
    const [rows] = await service.db.query<{ n: number }>(
      sql`select count(*) as n from audit_events where canonical ilike '%needle%'`,
    );
    expect(rows!.n).toBe(0);
    expect(service.logged.join('\n')).not.toMatch(/needle/i);
  });
});
