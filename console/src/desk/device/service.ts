import { isSvcError, type Profile, SvcDevice } from '@svc/sdk';
import { noteServerTime, serverNow } from '../../ui/server-time';
import type { KeptDevice } from './kept-device';

/** Renewed this long before it ends, and only between two people. */
const RENEW_BEFORE_MS = 60 * 60_000;

/** This device's clock may be wrong, so that countdowns need the service's. */
const timedFetch: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  noteServerTime(response.headers.get('date'));
  return response;
};

const clientOf = (deviceToken?: string): SvcDevice =>
  new SvcDevice({ baseUrl: location.origin, fetch: timedFetch, ...(deviceToken && { deviceToken }) });

/** The service, as this device. */
export class DeskService {
  readonly device: KeptDevice;
  #session: Promise<{ readonly svc: SvcDevice; readonly endsAt: number }> | undefined;

  constructor(device: KeptDevice) {
    this.device = device;
  }

  /** Sends requests in the device's session, and opens a new one if it has ended. */
  async run<T>(work: (svc: SvcDevice) => Promise<T>): Promise<T> {
    try {
      return await work((await this.#open()).svc);
    } catch (error) {
      if (!isSvcError(error, 'device_session_invalid')) throw error;
      this.#session = undefined;
      return work((await this.#open()).svc);
    }
  }

  /** Reads how the company looks, in a session that lasts for the next person. */
  async refresh(): Promise<Profile> {
    const { endsAt } = await this.#open();
    if (endsAt - serverNow() < RENEW_BEFORE_MS) this.#session = undefined;
    return this.run((svc) => svc.getProfile());
  }

  #open() {
    this.#session ??= this.#openSession().catch((error: unknown) => {
      this.#session = undefined;
      throw error;
    });
    return this.#session;
  }

  async #openSession() {
    const { token, expiresIn } = await clientOf().devices.session(this.device);
    return { svc: clientOf(token), endsAt: serverNow() + expiresIn * 1000 };
  }
}
