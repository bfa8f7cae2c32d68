import { SvcRequests, transportOf } from './requests.js';
import { Devices } from './resources/devices.js';
import { PairingDesktop } from './resources/pairing.js';
import { Registrations } from './resources/registrations.js';
import { Sessions } from './resources/sessions.js';
import type { SvcOptions } from './transport/options.js';

/** The part of `Svc` that a screen at a desk needs: it registers people and signs them in. Bundled, it is much smaller. */
export class SvcDevice extends SvcRequests {
  readonly devices: Devices;
  readonly pairing: PairingDesktop;
  readonly registrations: Registrations;
  readonly sessions: Sessions;

  /** Sends nothing. @throws SvcError `invalid_options`, which names the option */
  constructor(options: SvcOptions) {
    super(options);
    const transport = transportOf(this);
    this.devices = new Devices(transport);
    this.pairing = new PairingDesktop(transport);
    this.registrations = new Registrations(transport);
    this.sessions = new Sessions(transport);
  }
}
