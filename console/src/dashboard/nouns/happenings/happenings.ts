import type { Activity, PairingSession } from '@svc/sdk';
import {
  BadgeCheck,
  CircleAlert,
  CircleSlash,
  Clock3,
  LogIn,
  LogOut,
  MonitorSmartphone,
  ShieldCheck,
} from 'lucide-react';
import type { Tone } from '../../../ui/layout/surface';
import type { ListedApproval, ListedAttendance, ListedVerification } from '../../operations/api';
import { failureIn } from '../outcomes/failures';
import { approverNames } from '../receipt/approval-names';
import { addressOf, type Piece, personPieces } from '../words/pieces';
import { fromEntry } from './entries';
import type { Happening } from './item';

const text = (of: string): Piece => ({ text: of });
const name = (of: string): Piece => ({ text: of, isName: true });
const person = (personId: string | null, personName: string | null | undefined) =>
  personPieces({ personId, personName });

/** Begins a sentence: a person without a name is “A person”. */
function sentence(...parts: readonly (Piece | readonly Piece[])[]): readonly Piece[] {
  const [first, ...rest] = parts.flat();
  if (first === undefined || first.isName) return first ? [first, ...rest] : [];
  return [{ ...first, text: first.text.charAt(0).toUpperCase() + first.text.slice(1) }, ...rest];
}

const onDevice = (deviceName: string | null | undefined, word: 'at' | 'on'): readonly Piece[] =>
  deviceName ? [text(` ${word} `), name(deviceName)] : [];

const METHODS: Readonly<Record<ListedVerification['method'], string>> = {
  zkp: 'was verified with a phone',
  fingerprint: 'was verified by fingerprint',
  face: 'was verified by face',
  depth: 'was verified by depth camera',
  saml: 'signed on with SAML',
  oidc: 'signed on with OpenID Connect',
  manual: 'was verified by hand',
};

/** A proof for a pairing session signs somebody in. */
const isSignIn = ({ metadata }: ListedVerification): boolean =>
  typeof metadata?.pairingSessionId === 'string';

function fromVerification(verification: ListedVerification): Happening {
  const { id, occurredAt, method, result, userId, userName, deviceName } = verification;
  const who = person(userId, userName);
  const what = isSignIn(verification) ? 'signed in' : METHODS[method];
  const failed = isSignIn(verification) ? 'A sign-in of ' : 'A verification of ';
  const where = onDevice(deviceName, isSignIn(verification) ? 'at' : 'on');
  const about = { id, at: occurredAt, ...addressTo('verification', id) };
  if (result === 'pass')
    return {
      ...about,
      icon: ShieldCheck,
      tone: 'good',
      pieces: sentence(who, text(` ${what}`), where),
    };
  if (result === 'challenge')
    return {
      ...about,
      icon: CircleAlert,
      tone: 'warn',
      pieces: sentence(who, text(' was asked for another proof')),
    };
  return {
    ...about,
    icon: CircleAlert,
    tone: 'bad',
    pieces: [text(failed), ...who, ...where, text(' failed')],
    reason: failureIn(verification)?.name ?? verification.reason ?? undefined,
  };
}

function fromAttendance({
  id,
  occurredAt,
  type,
  result,
  userId,
  userName,
  deviceName,
}: ListedAttendance): Happening {
  const who = person(userId, userName);
  const isIn = type === 'check_in';
  const about = { id, at: occurredAt, icon: isIn ? LogIn : LogOut, ...addressTo('attendance', id) };
  if (result === 'accepted')
    return {
      ...about,
      tone: 'good',
      pieces: sentence(who, text(isIn ? ' checked in' : ' checked out'), onDevice(deviceName, 'at')),
    };
  return {
    ...about,
    tone: 'bad',
    pieces: [text(`A ${isIn ? 'check-in' : 'check-out'} of `), ...who, text(' was rejected')],
  };
}

const PAIRINGS: Readonly<Record<PairingSession['state'], readonly [Tone, typeof LogIn, string]>> = {
  issued: ['plain', Clock3, ' waits for a phone'],
  proved: ['warn', Clock3, ' waits for the phone beside the browser'],
  bound: ['good', MonitorSmartphone, ' was completed'],
  declined: ['bad', CircleSlash, ' was declined on the phone'],
  rejected: ['bad', CircleAlert, ' ended, because the number was wrong'],
  expired: ['plain', Clock3, ' expired'],
};

function fromPairing({ id, createdAt, state, application, origin, deviceName }: PairingSession): Happening {
  const [tone, icon, outcome] = PAIRINGS[state];
  const target = application ?? origin;
  const to = target === null ? [] : [text(' to '), name(target)];
  const pieces = [text('A sign-in'), ...to, ...onDevice(deviceName, 'at'), text(outcome)];
  return { id, at: createdAt, icon, tone, pieces, ...addressTo('pairing_session', id) };
}

const APPROVALS: Readonly<Record<ListedApproval['state'], readonly [Tone, string]>> = {
  pending: ['plain', 'Waiting'],
  approved: ['good', 'Approved'],
  declined: ['bad', 'Declined'],
  expired: ['warn', 'Expired'],
  cancelled: ['plain', 'Cancelled'],
  consumed: ['good', 'Used'],
};

function fromApproval(approval: ListedApproval): Happening {
  const { id, createdAt, state, action, approvers } = approval;
  const names = approverNames(approval);
  const [tone, outcome] = APPROVALS[state];
  const first = approvers[0] ?? null;
  const others = approvers.length > 1 ? [text(` and ${approvers.length - 1} more`)] : [];
  const what = action === null ? text('an erased text') : name(action.title);
  const who = person(first, first === null ? null : names.get(first));
  const asked = approvers.length > 1 ? ' were asked to approve ' : ' was asked to approve ';
  return {
    id,
    at: createdAt,
    icon: BadgeCheck,
    tone,
    pieces: sentence(who, others, text(asked), what),
    reason: outcome,
    ...addressTo('approval', id),
  };
}

const addressTo = (type: string, id: string): Pick<Happening, 'to'> => {
  const { to } = addressOf(type, id);
  return to ? { to } : {};
};

/** An item of the activity, as a row shows it. */
export function happeningOf(item: Activity): Happening {
  switch (item.kind) {
    case 'verification':
      return fromVerification(item.record);
    case 'pairing':
      return fromPairing(item.record);
    case 'attendance':
      return fromAttendance(item.record);
    case 'approval':
      return fromApproval(item.record);
    case 'event':
      return fromEntry(item.record);
  }
}
