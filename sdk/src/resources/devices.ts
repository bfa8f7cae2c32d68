import { type DeviceKey, type DeviceSigner, signEnrolment, signRequest } from '../codecs/device-key.js';
import type {
  Device,
  DeviceCreateParams,
  DeviceEnrollParams,
  DeviceListParams,
  DevicePage,
  DeviceRecordProof,
  DeviceRecordProofGetParams,
  DeviceSession,
  DeviceUpdateParams,
  PairingCreateParams,
  SignedByDevice,
} from '../generated/api.js';
import type { Environment } from '../transport/options.js';
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

  /**
   * What the device says, with the proof that the audit chain has it so. `from`: the size of a tree that you kept. `verifyRecord` of
   * `@svc/sdk/receipts` checks it. Scopes `devices:read` and `audit:read`.
   */
  proof(
    deviceId: string,
    query: DeviceRecordProofGetParams = {},
    options?: RequestOptions,
  ): Promise<DeviceRecordProof> {
    return this.#transport.call('getDeviceProof', { path: { deviceId }, query }, options);
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

  /** The same with a key of the device, which it signs with from then on. Store the key first, and `signer` afterwards. */
  async enrollWithKey(
    claim: Omit<DeviceEnrollParams, 'public_key' | 'signature'>,
    key: DeviceKey,
    options?: RequestOptions,
  ): Promise<{ readonly device: Device; readonly signer: DeviceSigner }> {
    const body = { ...claim, ...(await signEnrolment(key, claim.enrollment_code)) };
    const { device, tenant_id } = await this.#transport.call('enrollDevice', { body }, options);
    const signer = {
      key,
      deviceId: device.id,
      tenantId: tenant_id,
      environment: device.environment as Environment,
    };
    return { device, signer };
  }

  /**
   * Opens a session of the device, which needs no API key. Pass its `token` as `deviceToken` to a new `Svc`, and open another one before
   * `expiresIn` seconds are over. @throws SvcError `device_signature_invalid` if the device is no longer in use
   */
  async session(signer: DeviceSigner, options?: RequestOptions): Promise<DeviceSession> {
    const now = await this.#transport.requestServerNow(options);
    const { id: deviceId, ...signed } = await signRequest(signer, now);
    return this.#transport.call('openDeviceSession', { body: { deviceId, ...signed } }, options);
  }

  /**
   * Signs the parameters of a pairing session on the device, for the backend that opens it with an API key:
   * `svc.pairing.create({ ...params, device })`, with exactly these parameters and within 60 seconds.
   */
  async sign(
    signer: DeviceSigner,
    params: Omit<PairingCreateParams, 'device'>,
    options?: RequestOptions,
  ): Promise<SignedByDevice> {
    return signRequest(signer, await this.#transport.requestServerNow(options), params);
  }
}
