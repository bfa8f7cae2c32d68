import { useQuery } from '@tanstack/react-query';
import { availableProtection } from '../ports/ports';
import type { ProtectionKind } from '../vault/sealed';

/** The strongest protection of this phone. Undefined until the browser has said it. */
export const useAvailableProtection = (): ProtectionKind | undefined =>
  useQuery({ queryKey: ['protection'], queryFn: availableProtection }).data;
