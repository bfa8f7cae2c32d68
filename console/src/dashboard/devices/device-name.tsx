import { useQuery } from '@tanstack/react-query';
import { svc } from '../api';
import { useEnvironment } from '../environment';
import { Reference } from '../records/reference';

/** The name of a device. Until it is loaded, the end of its ID. */
function useDeviceName(id: string): string | null {
  const environment = useEnvironment();
  const { data = null } = useQuery({
    queryKey: ['devices', environment, 'name', id],
    queryFn: async ({ signal }) => {
      const request = { path: { deviceId: id }, query: { environment } };
      return (await svc.request('getDevice', request, { signal })).device.name;
    },
  });
  return data;
}

export const DeviceReference = ({ id }: { readonly id: string }) => (
  <Reference to="devices" id={id} name={useDeviceName(id)} />
);
