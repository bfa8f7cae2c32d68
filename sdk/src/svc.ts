import { SvcRequests, transportOf } from './requests.js';
import { Approvals } from './resources/approvals.js';
import { AttendanceEvents } from './resources/attendance.js';
import { Audit } from './resources/audit.js';
import { Console } from './resources/console.js';
import { Devices } from './resources/devices.js';
import { Events } from './resources/events.js';
import { Identity } from './resources/identity.js';
import { PairingSessions } from './resources/pairing.js';
import { Phone } from './resources/phone/phone.js';
import { Recoveries } from './resources/recoveries.js';
import { Registrations } from './resources/registrations.js';
import { Sessions } from './resources/sessions.js';
import { Sites } from './resources/sites.js';
import { Users } from './resources/users.js';
import { Verifications } from './resources/verifications.js';
import { Webhooks } from './resources/webhooks.js';
import type { SvcOptions } from './transport/options.js';

/** A client for one account. Cheap to create; use one per key. */
export class Svc extends SvcRequests {
  readonly approvals: Approvals;
  readonly attendance: AttendanceEvents;
  readonly audit: Audit;
  readonly console: Console;
  readonly devices: Devices;
  readonly events: Events;
  readonly identity: Identity;
  readonly pairing: PairingSessions;
  readonly phone: Phone;
  readonly recoveries: Recoveries;
  readonly registrations: Registrations;
  readonly sessions: Sessions;
  readonly sites: Sites;
  readonly users: Users;
  readonly verifications: Verifications;
  readonly webhooks: Webhooks;

  /** Sends nothing. @throws SvcError `invalid_options`, which names the option */
  constructor(options: SvcOptions) {
    super(options);
    const transport = transportOf(this);
    this.approvals = new Approvals(transport);
    this.attendance = new AttendanceEvents(transport);
    this.audit = new Audit(transport);
    this.console = new Console(transport);
    this.devices = new Devices(transport);
    this.events = new Events(transport);
    this.identity = new Identity(transport);
    this.pairing = new PairingSessions(transport);
    this.phone = new Phone(transport);
    this.recoveries = new Recoveries(transport);
    this.registrations = new Registrations(transport);
    this.sessions = new Sessions(transport);
    this.sites = new Sites(transport);
    this.users = new Users(transport);
    this.verifications = new Verifications(transport);
    this.webhooks = new Webhooks(transport);
  }
}
