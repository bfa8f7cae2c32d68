import type {
  Device,
  DeviceCreateParams,
  DeviceEnrollParams,
  DeviceListParams,
  DevicePage,
  DeviceUpdateParams,
} from '../generated/api.js';
import type { RequestOptions, Transport } from '../transport/transport.js';
import { listOf, type Pages } from './pages.js';

/** `svc.devices`: kiosks, phones and bridges of the account. */
export class Devices {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Registers a device that is enrolled immediately, without a code. Retried safely. Scope `devices:write`. */
  async create(device: DeviceCreateParams, options?: RequestOptions): Promise<Device> {
    return (await this.#transport.call('createDevice', { body: device }, options)).device;
  }

  /** A device by id. Scope `devices:read`. */
  async get(deviceId: string, options?: RequestOptions): Promise<Device> {
    return (await this.#transport.call('getDevice', { path: { deviceId } }, options)).device;
  }

  /** All devices that match the filter, newest first. Scope `devices:read`. */
  list(filter: DeviceListParams = {}, options?: RequestOptions): Pages<Device, DevicePage> {
    return listOf(this.#transport, 'listDevices', 'devices', filter, options);
  }

  /** Changes the given fields; null clears an optional one. Scope `devices:write`. */
  async update(deviceId: string, changes: DeviceUpdateParams, options?: RequestOptions): Promise<Device> {
    const input = { path: { deviceId }, body: changes };
    return (await this.#transport.call('updateDevice', input, options)).device;
  }

  /** Claims a device created in the console. Call it on that device. The enrollment code is the only credential. */
  async enroll(claim: DeviceEnrollParams, options?: RequestOptions): Promise<Device> {
    return (await this.#transport.call('enrollDevice', { body: claim }, options)).device;
  }
}
