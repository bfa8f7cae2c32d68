import type { Device } from './generated/api.js';
import { type ListFilter, listOf, type Pages } from './pages.js';
import type { Body, Reply, RequestOptions, Transport } from './transport.js';

/** `svc.devices`: kiosks, phones and bridges of the account. */
export class Devices {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Registers a device of a trusted service, enrolled at once. Repeated safely. Scope `devices:write`. */
  async create(device: Body<'POST /v1/devices'>, options?: RequestOptions): Promise<Device> {
    return (await this.#transport.call('POST /v1/devices', { body: device }, options)).device;
  }

  /** A device by id. Scope `devices:read`. */
  async get(deviceId: string, options?: RequestOptions): Promise<Device> {
    return (await this.#transport.call('GET /v1/devices/{deviceId}', { path: { deviceId } }, options)).device;
  }

  /** All devices that fit the filter, newest first. Scope `devices:read`. */
  list(
    filter: ListFilter<'GET /v1/devices'> = {},
    options?: RequestOptions,
  ): Pages<Device, Reply<'GET /v1/devices'>> {
    return listOf(this.#transport, 'GET /v1/devices', 'devices', filter, options);
  }

  /** Changes what is given; null clears an optional field. Scope `devices:write`. */
  async update(
    deviceId: string,
    changes: Body<'PATCH /v1/devices/{deviceId}'>,
    options?: RequestOptions,
  ): Promise<Device> {
    const input = { path: { deviceId }, body: changes };
    return (await this.#transport.call('PATCH /v1/devices/{deviceId}', input, options)).device;
  }

  /** Claims a device that the console made, on that device: the enrollment code is all the credential there is. */
  async enroll(claim: Body<'POST /v1/devices/enroll'>, options?: RequestOptions): Promise<Device> {
    return (await this.#transport.call('POST /v1/devices/enroll', { body: claim }, options)).device;
  }
}
