import {
  CircleAlert,
  KeyRound,
  type LucideIcon,
  Pencil,
  ScanLine,
  ShieldAlert,
  Smartphone,
  UserRound,
} from 'lucide-react';
import { recordIn } from '../../paths';
import { type ListedEntry, addressOf as pageOfRecord, piecesOf } from '../words/pieces';
import type { Happening } from './item';

/** Events about a person that no other list of theirs says. */
const ICONS: Readonly<Record<string, LucideIcon>> = {
  'user.updated': Pencil,
  'registration.started': ScanLine,
  'registration.abandoned': CircleAlert,
  'registration.expired': CircleAlert,
  'identity.addition_opened': Smartphone,
  'identity.addition_rejected': ShieldAlert,
  'identity.rotated': KeyRound,
  'identity.recovery_opened': ShieldAlert,
  'identity.recovery_contested': ShieldAlert,
  'identity.recovery_confirmed': ShieldAlert,
  'identity.recovery_cancelled': ShieldAlert,
  'identity.recovery_completed': Smartphone,
  'approval.approved_by': UserRound,
  'approval.declined_by': UserRound,
  'tenant.exported': UserRound,
};

const WARNINGS: ReadonlySet<string> = new Set(
  Object.keys(ICONS).filter((action) => ICONS[action] === ShieldAlert || ICONS[action] === CircleAlert),
);

export function fromEntry(entry: ListedEntry): Happening {
  const { id, seq, createdAt, action, status, entityType, entityId } = entry;
  const ofRecord = entityType === 'user' ? undefined : pageOfRecord(entityType, entityId).to;
  return {
    id,
    at: createdAt,
    icon: ICONS[action] ?? Pencil,
    tone: status === 'failure' ? 'bad' : WARNINGS.has(action) ? 'warn' : 'plain',
    pieces: piecesOf(entry),
    to: ofRecord ?? ((environment) => recordIn(environment, 'audit', seq)),
  };
}
