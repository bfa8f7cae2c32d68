import { useAccount } from '../../operations/account';

/** What the member who is logged in may do with hours. An owner gives it, whatever the role. */
export interface Rights {
  /** Works with hours: sheets, corrections, closing, files. */
  readonly hours: boolean;
  /** Reads sheets. */
  readonly sheets: boolean;
  /** The sites that these rights are for. Null: all. */
  readonly siteIds: readonly string[] | null;
}

export function useRights(): Rights {
  const member = useAccount().data?.member;
  const hours = member?.hours ?? false;
  return { hours, sheets: hours || (member?.representative ?? false), siteIds: member?.siteIds ?? null };
}
