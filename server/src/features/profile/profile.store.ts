import type { Image } from '../../base/image.js';
import type { Database } from '../../db/db.js';
import { sql } from '../../db/sql.js';
import type { Read, TenantWrite } from '../../ledger/write.js';

export interface ProfileRow {
  accent_color: string | null;
  logo_id: string | null;
  logo_bytes: number | null;
}

/** Both environments of an account have the same profile. */
export async function findProfile(read: Read): Promise<ProfileRow | undefined> {
  const [row] = await read.query<ProfileRow>(
    sql.query`select accent_color, logo_id, logo_bytes from company_profiles where tenant_id = ${read.scope.tenantId}`,
  );
  return row;
}

export async function setAccentColor(w: TenantWrite, accentColor: string): Promise<void> {
  await w.mutate(sql.mutation`insert into company_profiles (tenant_id, accent_color)
    values (${w.scope.tenantId}, ${accentColor})
    on conflict (tenant_id) do update set accent_color = excluded.accent_color`);
}

export async function setLogo(w: TenantWrite, logo: Image | null): Promise<void> {
  await w.mutate(sql.mutation`insert into company_profiles (tenant_id, logo_id, logo_type, logo_bytes, logo_base64)
    values (${w.scope.tenantId}, ${logo?.id ?? null}, ${logo?.type ?? null}, ${logo?.bytes.length ?? null},
      ${logo?.bytes.toString('base64') ?? null})
    on conflict (tenant_id) do update set logo_id = excluded.logo_id, logo_type = excluded.logo_type,
      logo_bytes = excluded.logo_bytes, logo_base64 = excluded.logo_base64`);
}

export async function findLogo(
  db: Database,
  tenantId: string,
  logoId: string,
): Promise<{ type: Image['type']; bytes: Buffer } | undefined> {
  const [row] = await db.query<{ logo_type: Image['type']; logo_base64: string }>(
    sql.query`select logo_type, logo_base64 from company_profiles where tenant_id = ${tenantId} and logo_id = ${logoId}`,
  );
  return row && { type: row.logo_type, bytes: Buffer.from(row.logo_base64, 'base64') };
}
