import { SERVICE } from '../service';

/** How a company looks, as the service described it last. */
export interface Brand {
  /** `#rrggbb`. */
  readonly accentColor: string;
  /** Stored with the identity, so that it is also shown offline. */
  readonly logo?: Logo | undefined;
}

export interface Logo {
  /** `image/png` or `image/webp`. */
  readonly type: string;
  readonly bytes: ArrayBuffer;
}

/** Cards of companies whose color is unknown. White text on each has a contrast of at least 4.5. */
const PALETTE = ['#0a6c56', '#2c4a8f', '#6b3f8c', '#8c3b3b', '#0b5d75', '#34495e'] as const;

/** The company's color, or one of six that is always the same for an account. */
export function colorOf(tenantId: string, brand: Brand | undefined): string {
  const sum = [...tenantId].reduce((before, letter) => (before * 31 + letter.charCodeAt(0)) % 997, 7);
  return brand?.accentColor ?? (PALETTE[sum % PALETTE.length] as string);
}

const MAX_LOGO_BYTES = 64 * 1024;
const LOGO_TIMEOUT_MS = 3_000;

/** Reads the brand in a response and loads its logo. A logo that can't be loaded is left out, because a registration must not fail on it. */
export async function loadBrand(paired: {
  readonly accent_color?: string;
  readonly logo_url?: string | null;
}): Promise<Brand | undefined> {
  const accentColor = paired.accent_color?.toLowerCase();
  // Older services send none.
  if (accentColor === undefined || !/^#[0-9a-f]{6}$/.test(accentColor)) return undefined;
  const logo = paired.logo_url ? await loadLogo(paired.logo_url).catch(() => undefined) : undefined;
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
