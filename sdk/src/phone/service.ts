import { Phone } from '../resources/phone/phone.js';
import { RegistrationSteps } from '../resources/registration-steps.js';
import { readOptions, type SvcOptions } from '../transport/options.js';
import { sleep } from '../transport/timing.js';
import { Transport } from '../transport/transport.js';

/** The part of `Svc` that a phone needs. */
export interface PhoneService {
  readonly baseUrl: string;
  readonly phone: Phone;
  readonly registrations: RegistrationSteps;
  /** The service's time in Unix milliseconds, learned from its last response: the phone's clock may be wrong. */
  serverNow(): number;
  /** Waits. Absent: the phone gives up as soon as the service can't be reached. */
  pause?(ms: number, signal?: AbortSignal): Promise<void>;
}

/** `fetch` is the network, `timing` the clock. Default: those of the platform. */
export type PhoneServiceOptions = Pick<
  SvcOptions,
  'baseUrl' | 'fetch' | 'timing' | 'timeoutMs' | 'maxRetries'
>;

/** A client with the operations of a phone alone, without an API key. `Svc` has them too, and is larger. */
export function phoneService(options: PhoneServiceOptions): PhoneService {
  const transport = new Transport(readOptions(options));
  return {
    baseUrl: transport.settings.baseUrl,
    phone: new Phone(transport),
    registrations: new RegistrationSteps(transport),
    serverNow: () => transport.serverNow(),
    pause: (ms, signal) => sleep(transport.settings.timing, ms, signal),
  };
}
