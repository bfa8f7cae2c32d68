import type { SealedKind } from '@svc/zk/records/kinds';
import type { SealedTable } from '../../../records/seals/sealed-rows.js';
import { sealedAttendance } from '../../attendance/attendance.js';
import { sealedDevices } from '../../devices/devices.js';
import { sealedPairings } from '../../pairing/pairing.js';
import { sealedRegistrations } from '../../registrations/registrations.js';
import { sealedUsers } from '../../users/users.js';
import { sealedVerifications } from '../../verifications/verifications.js';

/** How the records of each kind are read that the chain seals. */
export const SEALED_TABLES: Readonly<Record<SealedKind, SealedTable>> = {
  device: sealedDevices,
  user: sealedUsers,
  verification: sealedVerifications,
  attendance: sealedAttendance,
  registration: sealedRegistrations,
  pairing: sealedPairings,
};
