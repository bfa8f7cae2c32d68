import type { Brand } from '@svc/sdk/phone';

/** Cards of companies whose color is unknown. White text on each has a contrast of at least 4.5. */
const PALETTE = ['#0a6c56', '#2c4a8f', '#6b3f8c', '#8c3b3b', '#0b5d75', '#34495e'] as const;

/** The company's color, or one of six that is always the same for an account. */
export function colorOf(tenantId: string, brand: Brand | undefined): string {
  const sum = [...tenantId].reduce((before, letter) => (before * 31 + letter.charCodeAt(0)) % 997, 7);
  return brand?.accentColor ?? (PALETTE[sum % PALETTE.length] as string);
}
