import type { Brand, CompanyFacts, Logo } from '@svc/sdk/phone';
import { SERVICE } from '../service';

const MAX_LOGO_BYTES = 64 * 1024;
const LOGO_TIMEOUT_MS = 3_000;

/** Reads the brand in a response and loads its logo. A logo that can't be loaded is left out, because a registration must not fail on it. */
export async function loadBrand(company: Omit<CompanyFacts, 'name'>): Promise<Brand | undefined> {
  const accentColor = company.accentColor?.toLowerCase();
  // Older services send none.
  if (accentColor === undefined || !/^#[0-9a-f]{6}$/.test(accentColor)) return undefined;
  const logo = company.logoUrl ? await loadLogo(company.logoUrl).catch(() => undefined) : undefined;
  return { accentColor, logo };
}

async function loadLogo(path: string): Promise<Logo | undefined> {
  const url = new URL(path, SERVICE);
  if (url.origin !== SERVICE) return undefined;
  const reply = await fetch(url, { signal: AbortSignal.timeout(LOGO_TIMEOUT_MS) });
  const type = reply.headers.get('content-type') ?? '';
  if (!reply.ok || !/^image\/(png|webp)$/.test(type)) return undefined;
  const bytes = await reply.arrayBuffer();
  return bytes.byteLength <= MAX_LOGO_BYTES ? { type, bytes } : undefined;
}
