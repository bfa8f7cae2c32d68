import { useOperation } from '../operations/operation';
import { Reference } from './reference';

/** The name of a device. Until it is loaded, the end of its ID. */
export function DeviceReference({ id }: { readonly id: string }) {
  const { data } = useOperation('getDevice', { path: { deviceId: id } });
  return <Reference to="devices" id={id} name={data?.device.name} />;
}
