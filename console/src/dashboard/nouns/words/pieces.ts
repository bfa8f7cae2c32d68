import type { Operations } from '@svc/sdk';
import type { Environment } from '../../operations/api';
import { accountPage, type RecordPage, recordIn } from '../../paths';
import { templateOf } from './templates';

export type ListedEntry = Operations['consoleListAuditEvents']['reply']['audit'][number];

/** An entry of the audit log. Those of a stream have no names yet. */
export type Entry = Pick<
  ListedEntry,
  'action' | 'actorType' | 'actorId' | 'entityType' | 'entityId' | 'status' | 'summary' | 'metadata'
> &
  Partial<Pick<ListedEntry, 'actorName' | 'entityName' | 'personId' | 'personName'>>;

/** A part of a sentence: plain text, or the name of a record with its address. */
export interface Piece {
  readonly text: string;
  /** Somebody typed it, so it can be in another script. */
  readonly isName?: boolean;
  readonly to?: ((environment: Environment) => string) | undefined;
}

/** Where the records that entries are about are shown. */
const PAGES: Readonly<Record<string, RecordPage>> = {
  user: 'users',
  device: 'devices',
  verification: 'verifications',
  attendance: 'attendance',
  approval: 'approvals',
  registration: 'registrations',
  recovery: 'registrations',
  pairing_session: 'pairing',
  webhook: 'webhooks',
  oidc_client: 'applications',
};

/** What records are called: before a name, and without one. */
const NOUNS: Readonly<Record<string, readonly [named: string, unnamed: string]>> = {
  user: ['', 'a person'],
  device: ['', 'a device'],
  api_key: ['the key ', 'an API key'],
  member: ['', 'a member'],
  passkey: ['the passkey ', 'a passkey'],
  webhook: ['the webhook ', 'a webhook'],
  oidc_client: ['the application ', 'an application'],
  oidc_grant: ['', 'an application'],
  approval: ['', 'an action'],
  pairing_session: ['a pairing for ', 'a pairing'],
  registration: ['the registration of ', 'a registration'],
  browser: ['', 'a browser'],
  verification: ['', 'a verification'],
  attendance: ['', 'an attendance event'],
  inspection: ['', 'an inspection'],
  identity: ['', 'a phone'],
  recovery: ['', 'a recovery'],
  session: ['', 'a session'],
  attestation_key: ['', 'a passkey of a phone'],
  tenant: ['', 'the account'],
  oidc_key: ['', 'a signing key'],
  sso_request: ['', 'a simulated sign-on'],
  template: ['', 'a template'],
  chain: ['', 'the audit log'],
};

const ACTORS: Readonly<Record<string, string>> = {
  api_key: 'an API key',
  member: 'a former member',
  device: 'a device',
  phone: 'a phone',
  inspector: 'somebody with a link for an inspection',
  system: 'the service',
};

const text = (of: string): Piece => ({ text: of });
const ERASED = 'an erased person';

/** Where a record is shown. Keys and members have no pages of their own, but lists. */
export function addressOf(type: string, id: string | null): Pick<Piece, 'to'> {
  const page = PAGES[type];
  if (id === null) return {};
  if (type === 'api_key') return { to: () => accountPage('keys') };
  if (type === 'member') return { to: () => accountPage('team') };
  return page === undefined ? {} : { to: (environment) => recordIn(environment, page, id) };
}

/** A sign-in to an application is shown as the application. */
function entityAddress({ action, entityType, entityId, metadata }: Entry): Pick<Piece, 'to'> {
  if (action.endsWith('.deleted') || action === 'member.removed') return {};
  const { clientId } = metadata;
  if (entityType === 'oidc_grant')
    return typeof clientId === 'string' ? addressOf('oidc_client', clientId) : {};
  return addressOf(entityType, entityId);
}

/** What a record is called, with its noun where the name alone does not say what it is. */
export function recordPieces(entry: Entry): readonly Piece[] {
  const { entityType, entityName } = entry;
  const [named, unnamed] = NOUNS[entityType] ?? ['', entityType.replaceAll('_', ' ')];
  const to = entityAddress(entry);
  if (entityType === 'user' && entityName === '') return [{ text: ERASED, ...to }];
  const isUnnamed = entityType === 'user' && entityName === 'Unnamed';
  if (entityName == null || entityName === '' || isUnnamed) return [{ text: unnamed, ...to }];
  const name = { text: entityName, isName: true, ...to };
  return named === '' ? [name] : [text(named), name];
}

export function actorPieces({
  actorType,
  actorId,
  actorName,
  personId,
  personName,
}: Entry): readonly Piece[] {
  if (actorType === 'phone' && personId != null)
    return [text('the phone of '), ...personPieces({ personId, personName })];
  const unnamed = text(ACTORS[actorType] ?? actorType.replaceAll('_', ' '));
  if (actorName == null || actorName === '') return [{ ...unnamed, ...addressOf(actorType, actorId) }];
  return [{ text: actorName, isName: true, ...addressOf(actorType, actorId) }];
}

export function personPieces({
  personId,
  personName,
}: {
  readonly personId?: string | null | undefined;
  readonly personName?: string | null | undefined;
}): readonly Piece[] {
  const to = addressOf('user', personId ?? null);
  if (personName === '') return [{ text: ERASED, ...to }];
  return personName == null || personName === 'Unnamed'
    ? [{ text: 'a person', ...to }]
    : [{ text: personName, isName: true, ...to }];
}

/** The person of a registration. Until it is completed, there is only the name that was typed. */
function subjectPieces(entry: Entry): readonly Piece[] {
  if (entry.personId != null) return personPieces(entry);
  const { entityType, entityId, entityName } = entry;
  const to = addressOf(entityType, entityId);
  return entityName ? [{ text: entityName, isName: true, ...to }] : [{ text: 'a person', ...to }];
}

const EXPORTED: Readonly<Record<string, string>> = {
  audit: 'the audit log',
  person: 'everything about a person',
  users: 'the people',
  devices: 'the devices',
  verifications: 'the verifications',
  attendance: 'the attendance',
};
const TYPES: Readonly<Record<string, string>> = { check_in: 'a check-in', check_out: 'a check-out' };

function metadataText(name: string, metadata: Entry['metadata']): string {
  if (name === 'records') return EXPORTED[String(metadata.records)] ?? 'records';
  if (name === 'a type') return TYPES[String(metadata.type)] ?? 'attendance';
  return String(metadata[name] ?? '…');
}

function filled(name: string, entry: Entry): readonly Piece[] {
  if (name === 'actor') return actorPieces(entry);
  if (name === 'record') return recordPieces(entry);
  if (name === 'person') return personPieces(entry);
  if (name === 'subject') return subjectPieces(entry);
  return [text(metadataText(name, entry.metadata))];
}

const capitalized = ([first, ...rest]: readonly Piece[]): readonly Piece[] =>
  first === undefined || first.isName
    ? [...(first ? [first] : []), ...rest]
    : [{ ...first, text: first.text.charAt(0).toUpperCase() + first.text.slice(1) }, ...rest];

/** Who did what to what, as the parts of one sentence. */
export function piecesOf(entry: Entry): readonly Piece[] {
  const template = templateOf(entry.action, entry.status);
  if (template === undefined) return [text(entry.summary)];
  const parts = template.split(/\{([a-zA-Z ]+)\}/);
  return capitalized(
    parts.flatMap((part, at) => (at % 2 === 1 ? filled(part, entry) : part === '' ? [] : [text(part)])),
  );
}

export const textOf = (pieces: readonly Piece[]): string => pieces.map((piece) => piece.text).join('');
export const sentenceOf = (entry: Entry): string => textOf(piecesOf(entry));
