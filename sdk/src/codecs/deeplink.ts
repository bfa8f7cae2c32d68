import { SvcError } from '../transport/errors.js';
import { originOf } from './address.js';
import { unwrapCode } from './code-url.js';

/** The deeplinks of the contract, stable in V1. An enrollment link can also contain the device's id. */
export type Deeplink =
  | {
      /** Claims a device that was created in the console. */
      readonly kind: 'enroll';
      readonly code: string;
      /** The device's UUID, which codes from the dashboard contain. */
      readonly device?: string;
    }
  | {
      /** Adds the phone that scans it to the person of the phone that shows it. */
      readonly kind: 'addition';
      readonly code: string;
    }
  | {
      /** A step of a registration. */
      readonly kind: 'registration';
      readonly step: 'pair' | 'enroll' | 'verify';
      /** The registration session's UUID. */
      readonly session: string;
      readonly code: string;
      /** The challenge nonce, hex; with the step `verify`. */
      readonly challenge?: string;
    };

const CODE = /^SV-[2-9AC-HJKMNPQRTV-Y]{4}-[2-9AC-HJKMNPQRTV-Y]{4}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const CHALLENGE = /^[0-9a-f]{32}$/;
const MAX_CHARACTERS = 512;
/** Each field's form. */
const FORMS: Readonly<Record<string, RegExp>> = {
  step: /^(pair|enroll|verify)$/,
  session: UUID,
  code: CODE,
  challenge: CHALLENGE,
  device: UUID,
};
/** The fields that a link may have. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  enroll: ['code', 'device'],
  add: ['code'],
  reg: ['step', 'session', 'code', 'challenge'],
};

/** `svc://enroll?…`, `svc://add?…` or `svc://reg?…`, with the fields in the contract's order. */
export function formatDeeplink(link: Deeplink): string {
  if (link.kind === 'enroll') {
    const device = link.device === undefined ? '' : `&device=${checked('device', link.device)}`;
    return `svc://enroll?code=${checked('code', link.code)}${device}`;
  }
  if (link.kind === 'addition') return `svc://add?code=${checked('code', link.code)}`;
  const challenge = link.challenge === undefined ? '' : `&challenge=${checked('challenge', link.challenge)}`;
  return `svc://reg?step=${checked('step', link.step)}&session=${checked('session', link.session)}&code=${checked('code', link.code)}${challenge}`;
}

/**
 * Parses a scanned link, or the address of the phone page with this link. The link's fields can be in any order. Pass the
 * service's `baseUrl`, so that the address of another one throws `foreign_code`.
 * @throws SvcError `malformed_payload`, `foreign_code`
 */
export function parseDeeplink(scanned: string, baseUrl?: string): Deeplink {
  const { text = '', origin } = unwrapCode(scanned) ?? {};
  const [, host, query] =
    /^svc:\/\/(enroll|add|reg)\?([\w=&%.-]+)$/.exec(text.slice(0, MAX_CHARACTERS + 1)) ?? [];
  if (host === undefined || query === undefined || text.length > MAX_CHARACTERS)
    throw malformed(
      `it must begin with svc://enroll?, svc://add? or svc://reg? and have at most ${MAX_CHARACTERS} characters`,
    );
  if (origin !== undefined && baseUrl !== undefined && origin !== originOf(baseUrl))
    throw new SvcError(
      'foreign_code',
      `This code leads to another service (${origin}) than this one (${originOf(baseUrl)}). Nothing was sent.`,
    );
  const fields = new Map<string, string>();
  for (const pair of query.split('&')) {
    const at = pair.indexOf('=');
    const name = at < 0 ? pair : pair.slice(0, at);
    if (!FIELDS[host]?.includes(name) || fields.has(name))
      throw malformed('it has an unknown or repeated field');
    fields.set(name, checked(name, decode(pair.slice(at + 1))));
  }
  const field = (name: string): string => {
    const value = fields.get(name);
    if (value === undefined) throw malformed(`the field ${name} is missing`);
    return value;
  };
  if (host === 'enroll') {
    const device = fields.get('device');
    return { kind: 'enroll', code: field('code'), ...(device !== undefined && { device }) };
  }
  if (host === 'add') return { kind: 'addition', code: field('code') };
  const challenge = fields.get('challenge');
  return {
    kind: 'registration',
    step: field('step') as 'pair',
    session: field('session'),
    code: field('code'),
    ...(challenge !== undefined && { challenge }),
  };
}

function checked(name: string, value: string): string {
  if (FORMS[name]?.test(value) !== true) throw malformed(`the field ${name} is malformed`);
  return value;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw malformed('its percent-encoding is invalid');
  }
}

const malformed = (why: string) =>
  new SvcError('malformed_payload', `This is not a link of the service: ${why}. Scan the code again.`);
