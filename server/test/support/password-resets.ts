import { createHash } from 'node:crypto';
import { sql } from '../../src/db/sql.js';
import { freshAddress, type Service } from './service.js';

export const forget = (service: Service, email: string, address = freshAddress()) =>
  service.call('POST', '/api/console/password/forgot', { body: { email }, address });

export const reset = (service: Service, token: string, newPassword = 'another horse 17 battery') =>
  service.call('POST', '/api/console/password/reset', {
    body: { token, newPassword },
    address: freshAddress(),
  });

/** A link as an e-mail would have it, for a service without one. Returns its token. */
export async function insertLink(service: Service, tenantId: string): Promise<string> {
  const token = crypto.randomUUID();
  const hash = createHash('sha256').update(token).digest('hex');
  const now = service.clock.now();
  await service.db.query(sql`insert into password_resets
      (tenant_id, member_id, token_hash, issued_for, expires_at, created_at)
    select id, id, ${hash}, encode(sha256(convert_to(email || '|' || password_hash, 'UTF8')), 'hex'),
      ${new Date(now + 60_000)}, ${new Date(now)} from tenants where id = ${tenantId}`);
  return token;
}
