import type { Static } from 'typebox';
import { invalid } from '../../base/errors.js';
import { readImage } from '../../base/image.js';
import type { Tenant } from '../../http/principal.js';
import type { ScopedContext } from '../../http/route.js';
import type { Read, TenantWrite } from '../../ledger/write.js';
import { VISIBLE_RULE, visibleName } from '../../model/visible.js';
import { renameAccount } from '../accounts/accounts.js';
import type { ProfileBody } from './profile.schema.js';
import { findProfile, type ProfileRow, setAccentColor, setLogo } from './profile.store.js';

export { AccentColor, LogoUrlOrNull } from './profile.schema.js';

const DEFAULT_ACCENT_COLOR = '#0a6c56';

const urlOf = (tenantId: string, row: ProfileRow | undefined) =>
  row?.logo_id ? `/logos/${tenantId}/${row.logo_id}` : null;

/** What a person sees of the account that asks them. */
export async function readBrand(read: Read): Promise<{ accentColor: string; logoUrl: string | null }> {
  const row = await findProfile(read);
  return {
    accentColor: row?.accent_color ?? DEFAULT_ACCENT_COLOR,
    logoUrl: urlOf(read.scope.tenantId, row),
  };
}

async function profileOf(read: Read, name: string) {
  const row = await findProfile(read);
  const url = urlOf(read.scope.tenantId, row);
  return {
    name,
    accentColor: row?.accent_color ?? DEFAULT_ACCENT_COLOR,
    logo: url === null ? null : { url, bytes: row?.logo_bytes ?? 0 },
  };
}

type ProfileContext = Pick<ScopedContext, 'read' | 'write'> & {
  readonly principal: { readonly tenant: Tenant };
};

export const readProfile = ({ read, principal }: Pick<ProfileContext, 'read' | 'principal'>) =>
  profileOf(read, principal.tenant.companyName);

function decodeLogo(text: string) {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) invalid('body.logo', 'must be base64');
  const image = readImage(bytes);
  return typeof image === 'string' ? invalid('body.logo', image) : image;
}

/** Changes the fields that are given. */
export async function updateProfile(
  { read, write, principal }: ProfileContext,
  { name: newName, accentColor, logo: text }: Static<typeof ProfileBody>,
) {
  const logo = text == null ? text : decodeLogo(text);
  const name =
    newName === undefined ? undefined : (visibleName(newName) ?? invalid('body.name', VISIBLE_RULE));
  await write(
    'tenant.profile_changed',
    async (w: TenantWrite) => {
      const changed = Object.entries({ name, accentColor, logo }).filter(([, value]) => value !== undefined);
      w.audit({
        entityType: 'tenant',
        entityId: w.scope.tenantId,
        metadata: { fields: changed.map(([field]) => field).join(', ') },
      });
      if (name !== undefined) await renameAccount(w, name);
      if (accentColor !== undefined) await setAccentColor(w, accentColor.toLowerCase());
      if (logo !== undefined) await setLogo(w, logo);
    },
    'tenant',
  );
  return profileOf(read, name ?? principal.tenant.companyName);
}
