import type { Environment } from '../../operations/api';
import { useRole } from '../members/needs';
import { useRights } from '../members/rights';
import { useSites } from './use-sites';

/** The pages of working time that a member can see: who is here, and what needs a right over hours. */
export type TimePage = 'here' | 'hours';

/**
 * Owners see all of them, so that they can turn working time on. Others see what their rights are for, once there is a site. Reception
 * sees who is here.
 */
export function useTimePages(environment: Environment): readonly TimePage[] {
  const role = useRole();
  const { sheets } = useRights();
  const isOwner = role === 'owner';
  const { data: sites = [] } = useSites({
    environment,
    enabled: !isOwner && (sheets || role === 'reception'),
  });
  if (isOwner) return ['here', 'hours'];
  if (sites.length === 0) return [];
  if (sheets) return ['here', 'hours'];
  return role === 'reception' ? ['here'] : [];
}
