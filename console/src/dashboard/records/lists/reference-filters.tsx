import { keepPreviousData } from '@tanstack/react-query';
import { useChange } from '../../../ui/lists/filters/filters';
import { PickFilter } from '../../../ui/lists/filters/pick-filter';
import { Text } from '../../../ui/lists/value';
import { PersonName } from '../../nouns/person/person-name';
import { Name } from '../../nouns/reference';
import { useOperation } from '../../operations/operation';
import { useReferences } from './list-query';

const FOUND = 8;
const searchFor = (typed: string) => ({ query: { limit: FOUND, ...(typed !== '' && { q: typed }) } });

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
  const input = { path: { userId: id ?? '' }, query: { include: 'names' } };
  const { data } = useOperation('getUser', input, { enabled: id !== undefined });
  return (
    <PickFilter
      name="Person"
      hint="Name, e-mail or external ID"
      chosen={id && <Name id={id} name={data?.user.fullName ?? null} />}
      useFound={useFoundPeople}
      onChoose={(chosen) => change('userId', chosen)}
    />
  );
}

function useFoundPeople(typed: string) {
  const { data, isError } = useOperation('listUsers', searchFor(typed), {
    placeholderData: keepPreviousData,
  });
  const picks = data?.users.map(({ id, fullName, email, externalId }) => ({
    id,
    name: <PersonName of={fullName} />,
    about: <Text of={email ?? externalId} />,
  }));
  return { picks, isFailed: isError };
}

function DeviceFilter() {
  const id = useReferences().deviceId;
  const change = useChange();
  const { data } = useOperation('getDevice', { path: { deviceId: id ?? '' } }, { enabled: id !== undefined });
  return (
    <PickFilter
      name="Device"
      hint="Name or external ID"
      chosen={id && <Name id={id} name={data?.device.name ?? null} />}
      useFound={useFoundDevices}
      onChoose={(chosen) => change('deviceId', chosen)}
    />
  );
}

function useFoundDevices(typed: string) {
  const { data, isError } = useOperation('consoleListDevices', searchFor(typed), {
    placeholderData: keepPreviousData,
  });
  const picks = data?.devices.map(({ id, name, locationId }) => ({
    id,
    name: <Text of={name} />,
    about: locationId && <Text of={locationId} />,
  }));
  return { picks, isFailed: isError };
}
