import { createDeviceKey, SvcDevice } from '@svc/sdk';
import { type KeptDevice, keepDevice } from './kept-device';

/** What the dashboard's link has behind its `#`. */
export interface Claim {
  readonly code: string;
  /** With it, a right code is exempt from the limit on guesses. */
  readonly deviceId?: string;
}

/** Reads the link's claim and takes it out of the address, where the next person would see it. */
export function takeClaim(): Claim | undefined {
  const fragment = new URLSearchParams(location.hash.slice(1));
  if (location.hash !== '') history.replaceState(null, '', location.pathname);
  const code = fragment.get('code');
  const deviceId = fragment.get('device');
  return code === null ? undefined : { code, ...(deviceId !== null && { deviceId }) };
}

/** Makes this browser the device of the code. */
export async function claimDevice({ code, deviceId }: Claim): Promise<KeptDevice> {
  const key = await createDeviceKey();
  const svc = new SvcDevice({ baseUrl: location.origin });
  const { device, signer } = await svc.devices.enrollWithKey(
    {
      enrollment_code: code,
      fingerprint: `desk:${crypto.randomUUID()}`,
      ...(deviceId !== undefined && { device_id: deviceId }),
    },
    key,
  );
  const kept = { ...signer, name: device.name };
  await keepDevice(kept);
  return kept;
}
