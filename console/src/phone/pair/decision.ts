import { type Approved, type Brand, readAccountName, type Stage } from '@svc/sdk/phone';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useWork } from '../parts/use-work';
import { loadBrand } from '../ports/ports';
import { HISTORY } from '../vault/history';
import { IDENTITIES, renewCompany } from '../vault/identities';
import { type Approvable, declineAsNotMe } from './approvable';
import type { Asked } from './asked';
import { approveAndRecord, record } from './recorded';

interface Company {
  readonly companyName?: string | undefined;
  readonly brand?: Brand | undefined;
}

/** The company as it looks now. Its logo follows a moment later. */
export function useCompanyNow({ identities }: Approvable, { context }: Asked): Company {
  const { accentColor, logoUrl } = context;
  const stored = identities.find((identity) => identity.brand)?.brand;
  const { data: brand } = useQuery({
    queryKey: ['brand', accentColor, logoUrl],
    queryFn: async () => {
      const loaded = await loadBrand({ accentColor, logoUrl });
      const kept = logoUrl === null ? undefined : stored?.logo;
      return loaded && { ...loaded, logo: loaded.logo ?? kept };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { companyName: readAccountName(context.company), brand: brand ?? stored };
}

/** Approves with the number that the person typed, if the session asks for one. */
export function useApproval(found: Approvable, asked: Asked, company: Company) {
  const queries = useQueryClient();
  return useWork<Stage, Approved, string | undefined>(async (watch, matchCode) => {
    try {
      const approved = await approveAndRecord(found, asked, matchCode, watch);
      // Only now, because the code says which company asks, and only the service's acceptance of the proof shows that it is.
      if (company.brand) await renewCompany(found.code, company).catch(() => undefined);
      await queries.invalidateQueries({ queryKey: IDENTITIES });
      return approved;
    } finally {
      await queries.invalidateQueries({ queryKey: HISTORY });
    }
  });
}

/** Declines a sign-in that the person did not ask for. */
export function useDecline(found: Approvable, asked: Asked) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      await record(found, asked, 'declined');
      await queries.invalidateQueries({ queryKey: HISTORY });
      return declineAsNotMe(found, asked.scanTicket);
    },
  });
}
