import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useChange } from '../../../ui/lists/filters/filters';
import { PickFilter } from '../../../ui/lists/filters/pick-filter';
import { Text } from '../../../ui/lists/value';
import { svc } from '../../api';
import { useEnvironment } from '../../environment';
import { PersonName } from '../../users/person-name';
import { Name } from '../reference';
import { useReferences } from './list-query';

const FOUND = 8;

/** The person and the device that a list is filtered by. They are chosen by name, or set by links of their records. */
export const ReferenceFilters = () => (
  <>
    <PersonFilter />
    <DeviceFilter />
  </>
);

export function PersonFilter() {
  const id = useReferences().userId;
  const change = useChange();
  const environment = useEnvironment();
  const { data } = useQuery({
    queryKey: ['users', environment, 'one', id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) =>
      (
        await svc.request(
          'getUser',
          { path: { userId: id ?? '' }, query: { environment, include: 'names' } },
          { signal },
        )
      ).user,
  });
  return (
    <PickFilter
      name="Person"
      hint="Name, e-mail or external ID"
      chosen={id && <Name id={id} name={data?.fullName ?? null} />}
      useFound={useFoundPeople}
      onChoose={(chosen) => change('userId', chosen)}
    />
  );
}

function useFoundPeople(typed: string) {
  const environment = useEnvironment();
  const { data, isError } = useQuery({
    queryKey: ['users', environment, 'found', typed],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (
        await svc.request(
          'listUsers',
          { query: { environment, limit: FOUND, ...(typed !== '' && { q: typed }) } },
          { signal },
        )
      ).users,
  });
  const picks = data?.map(({ id, fullName, email, externalId }) => ({
    id,
    name: <PersonName of={fullName} />,
    about: <Text of={email ?? externalId} />,
  }));
  return { picks, isFailed: isError };
}

function DeviceFilter() {
  const id = useReferences().deviceId;
  const change = useChange();
  const environment = useEnvironment();
  const { data } = useQuery({
    queryKey: ['devices', environment, 'one', id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) =>
      (await svc.request('getDevice', { path: { deviceId: id ?? '' }, query: { environment } }, { signal }))
        .device,
  });
  return (
    <PickFilter
      name="Device"
      hint="Name or external ID"
      chosen={id && <Name id={id} name={data?.name ?? null} />}
      useFound={useFoundDevices}
      onChoose={(chosen) => change('deviceId', chosen)}
    />
  );
}

function useFoundDevices(typed: string) {
  const environment = useEnvironment();
  const { data, isError } = useQuery({
    queryKey: ['devices', environment, 'found', typed],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (
        await svc.request(
          'consoleListDevices',
          { query: { environment, limit: FOUND, ...(typed !== '' && { q: typed }) } },
          { signal },
        )
      ).devices,
  });
  const picks = data?.map(({ id, name, locationId }) => ({
    id,
    name: <Text of={name} />,
    about: locationId && <Text of={locationId} />,
  }));
  return { picks, isFailed: isError };
}
