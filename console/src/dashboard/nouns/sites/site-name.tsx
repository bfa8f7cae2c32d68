import { Text } from '../../../ui/lists/value';
import { useSites } from './use-sites';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The name of a site. A device can be at a place that is no site, which has only its own text. */
export function SiteName({ id }: { readonly id: string | null }) {
  const canBeSite = id !== null && UUID.test(id);
  const { data } = useSites({ enabled: canBeSite });
  return <Text of={data?.find((site) => site.id === id)?.name ?? id} />;
}
