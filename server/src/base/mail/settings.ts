import { isIPv4 } from 'node:net';
import { canonicalEmail } from '../../model/email.js';
import { parseUrl } from '../../model/url.js';

/** The parts of SMTP_URL. They are secret and never logged. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** `none` only on this machine. */
  readonly tls: 'immediate' | 'starttls' | 'none';
  /** Absent: the server asks for no log-in. */
  readonly login: { readonly user: string; readonly password: string } | undefined;
}

/** MAIL_FROM. */
export interface Sender {
  readonly address: string;
  /** Empty if there is none. */
  readonly name: string;
}

export interface MailSettings {
  readonly server: SmtpServer;
  readonly from: Sender;
}

const PORTS = { 'smtps:': 465, 'smtp:': 587 } as const;
const HOST = /^([a-z\d]([a-z\d.-]*[a-z\d])?|\[[\da-f:.]+\])$/i;

/** The address of one mailbox, without characters that have a meaning in a header or an SMTP command. */
export const isMailAddress = (text: string): boolean =>
  canonicalEmail(text) !== undefined && !/[\s"(),:;<>[\\\]]/.test(text);

const isThisMachine = (host: string) =>
  /^localhost$/i.test(host) || host === '::1' || (isIPv4(host) && host.startsWith('127.'));

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Undefined unless both are given, or neither. */
function readLogin({ username, password }: URL): { readonly login: SmtpServer['login'] } | undefined {
  if (username === '' && password === '') return { login: undefined };
  const login = { user: decode(username), password: decode(password) };
  return login.user && login.password ? { login: { user: login.user, password: login.password } } : undefined;
}

/** Reads SMTP_URL. Undefined if it is not `smtp://` or `smtps://` with a host and nothing after the port. */
export function readSmtpUrl(text: string): SmtpServer | undefined {
  const url = parseUrl(text);
  if (url === undefined || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:')) return undefined;
  const { hostname, pathname, protocol } = url;
  const login = readLogin(url);
  const port = url.port === '' ? PORTS[protocol] : Number(url.port);
  if (!HOST.test(hostname) || !/^\/?$/.test(pathname) || /[?#]/.test(text) || port === 0 || !login)
    return undefined;
  const host = hostname.replace(/^\[|\]$/g, '');
  const tls = protocol === 'smtps:' ? 'immediate' : isThisMachine(host) ? 'none' : 'starttls';
  return { host, port, tls, ...login };
}

/** Reads MAIL_FROM: `address` or `Name <address>`. */
export function readSender(text: string): Sender | undefined {
  const [, quoted, plain, address = text] = /^(?:"([^"\\]*)"|([^"<>\\]*?)) *<([^<>]*)>$/.exec(text) ?? [];
  const name = (quoted ?? plain ?? '').trim();
  return isMailAddress(address) && name.length <= 100 && !/\p{C}/u.test(name) ? { address, name } : undefined;
}
