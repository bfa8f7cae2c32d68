import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres } from '../../src/db/pg.js';
import { sql } from '../../src/db/sql.js';
import { sharedDatabase } from '../support/database.js';
import { ADMIN_KEY, manualClock, type Service, startService } from '../support/service.js';

describe('parallel writers of one tenant on two nodes', () => {
  let nodes: Service[];
  beforeAll(async () => {
    const { db, url } = await sharedDatabase();
    const second = openPostgres({ url: url as string });
    // The nodes' clocks differ by ten minutes. The chain's times must still never decrease.
    nodes = [
      await startService({ db, clock: manualClock() }),
      await startService({ db: second, clock: manualClock(Date.parse('2026-05-12T09:20:00.000Z')) }),
    ];
  });
  afterAll(async () => {
    for (const node of nodes) await node.close();
    await nodes[1]?.db.close();
  });

  it('append to one complete, linear audit chain whose times never decrease', async () => {
    const [one, two] = nodes as [Service, Service];
    const account = await one.signUp({ plan: 'enterprise' });
    const names = await Promise.all(
      Array.from({ length: 32 }, async (_, writer) => {
        const node = writer % 2 ? one : two;
        const made: string[] = [];
        for (let i = 0; i < 4; i += 1) {
          node.clock.advance(1);
          const externalId = `device-${i % 2 ? writer : `${writer}-${i}`}`;
          const reply = await node.call('POST', '/v1/devices', {
            as: account.key,
            body: { name: 'Door', externalId },
          });
          // The fourth is a conflict and must leave no gap.
          expect(reply.status).toBe(i === 3 ? 409 : 201);
          if (reply.status === 201) made.push(reply.body.device.id);
        }
        return made;
      }),
    );
    const rows = await one.db.query<{
      seq: number;
      entity_id: string;
      created_at: Date;
      hash: string;
      prev_hash: string;
    }>(
      sql`select seq, entity_id, created_at, hash, prev_hash from audit_events
        where tenant_id = ${account.tenantId} and environment = 'live' order by seq`,
    );
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 2 + 96 }, (_, at) => at + 1));
    rows.slice(1).forEach((row, at) => {
      const before = rows[at] as (typeof rows)[number];
      expect(row.prev_hash).toBe(before.hash);
      expect(row.created_at.getTime()).toBeGreaterThanOrEqual(before.created_at.getTime());
    });
    expect(
      rows
        .slice(2)
        .map((row) => row.entity_id)
        .sort(),
    ).toEqual(names.flat().sort());
    const { body } = await two.call('GET', `/api/admin/audit-integrity?tenantId=${account.tenantId}`, {
      headers: { 'x-api-key': ADMIN_KEY },
    });
    expect(body).toMatchObject({ status: 'pass', checked: 98 });
  });
});
