import { useQuery } from '@tanstack/react-query';
import { FilterChip, useChange } from '../../ui/lists/filters';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { useReferences } from './list-query';
import { Name } from './reference';

/** The person and the device that a list is filtered by. Links of their records set them. */
export function ReferenceFilters() {
  const { userId, deviceId } = useReferences();
  return (
    <>
      {userId && <PersonFilter id={userId} />}
      {deviceId && <DeviceFilter id={deviceId} />}
    </>
  );
}

function PersonFilter({ id }: { readonly id: string }) {
  const change = useChange();
  const environment = useEnvironment();
  const { data } = useQuery({
    queryKey: ['users', environment, 'one', id],
    queryFn: async ({ signal }) =>
      (
        await svc.request(
          'getUser',
          { path: { userId: id }, query: { environment, include: 'names' } },
          { signal },
        )
      ).user,
  });
  return (
    <FilterChip name="Person" onRemove={() => change('userId', '')}>
      <Name id={id} name={data?.fullName ?? null} />
    </FilterChip>
  );
}

function DeviceFilter({ id }: { readonly id: string }) {
  const change = useChange();
  const environment = useEnvironment();
  const { data } = useQuery({
    queryKey: ['devices', environment, 'one', id],
    queryFn: async ({ signal }) =>
      (await svc.request('getDevice', { path: { deviceId: id }, query: { environment } }, { signal })).device,
  });
  return (
    <FilterChip name="Device" onRemove={() => change('deviceId', '')}>
      <Name id={id} name={data?.name ?? null} />
    </FilterChip>
  );
}
