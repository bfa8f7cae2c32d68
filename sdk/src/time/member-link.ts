import { fromBase64url } from '../codecs/base64url.js';
import { unwrapCode } from '../codecs/code-url.js';
import type { PhonePorts, Watch } from '../phone/ports.js';
import type { Secret } from '../phone/records.js';
import { asPerson } from '../phone/send.js';
import type { Reply } from '../transport/transport.js';

const FORM = /^svc:\/\/member\?t=([\w-]+\.([\w-]+)\.[\w-]+)$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The code by which a member of the team is linked to the person who they are. */
export interface MemberLinkCode {
  readonly token: string;
  /** The account of the member. */
  readonly tenantId: string;
  readonly memberId: string;
  /** The e-mail address of the member. Show it before the person confirms. The service accepts no other one with this token. */
  readonly email: string;
  /** Of the service, if the text was an address. */
  readonly origin?: string;
}

/** Reads the text of a QR code. Undefined for any other text. Only the service knows whether the code still counts. */
export function readMemberLink(scanned: string): MemberLinkCode | undefined {
  const { text = '', origin } = unwrapCode(scanned) ?? {};
  const [, token = '', claims = ''] = FORM.exec(text) ?? [];
  const { sub, acc, email } = claimsOf(claims);
  if (!isId(sub) || !isId(acc) || typeof email !== 'string') return undefined;
  return { token, tenantId: acc, memberId: sub, email, ...(origin !== undefined && { origin }) };
}

const isId = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

function claimsOf(part: string): Readonly<Record<string, unknown>> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(fromBase64url(part) ?? new Uint8Array());
    const claims: unknown = JSON.parse(text);
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/**
 * Shows by a proof that the person of the phone is this member. From then on, the member decides nothing about their own hours.
 * @throws SvcError `verification_failed` if the code no longer counts
 */
export const linkMember = <S extends Secret>(
  phone: PhonePorts<S>,
  id: string,
  { token, memberId }: Pick<MemberLinkCode, 'token' | 'memberId'>,
  watch: Watch = {},
): Promise<Reply<'linkMember'>['member']> =>
  asPerson(phone, id, { kind: 'member-link', memberId }, watch, (proof) =>
    phone.service.phone.linkMember({ ...proof, token }, { signal: watch.signal }),
  );
