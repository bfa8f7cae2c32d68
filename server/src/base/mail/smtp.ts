import type { MailSettings } from './settings.js';

/** How long connecting, the greeting and each later reply may take. */
const TIMEOUT_MS = 10_000;

export interface Letter {
  /** The first part of its Message-ID, so that the log of the mail server can be searched for it. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly writtenAt: Date;
}

/** Why an attempt failed, in codes only: the text of a reply often quotes an address. */
export interface SmtpFailure {
  /** Of nodemailer, such as `ETIMEDOUT`, `EAUTH` or `EENVELOPE`. */
  readonly code: string;
  /** Of the system or of OpenSSL, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
  readonly cause?: string;
  /** What the mail server replied to, such as `RCPT TO`. */
  readonly command?: string;
  /** Its reply, such as 550, and the enhanced code, such as `5.1.1`. */
  readonly reply?: number;
  readonly status?: string;
}

export interface Smtp {
  /** Sends on a connection of its own. Resolves with undefined if the server accepted it. Never rejects. */
  deliver(letter: Letter, signal: AbortSignal): Promise<SmtpFailure | undefined>;
  /** Connects and logs in. Never rejects. */
  check(): Promise<SmtpFailure | undefined>;
}

export interface SmtpOptions {
  /** The authorities to trust. Default: those of Node.js. For tests. */
  readonly ca?: string;
  /** Default: 10 s. For tests. */
  readonly timeoutMs?: number;
}

/** A client of the mail server. Its library is only loaded here, so that a node without SMTP_URL does not load it. */
export async function openSmtp(
  { server, from }: MailSettings,
  { ca, timeoutMs = TIMEOUT_MS }: SmtpOptions = {},
): Promise<Smtp> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.tls === 'immediate',
    requireTLS: server.tls === 'starttls',
    ignoreTLS: server.tls === 'none',
    tls: { minVersion: 'TLSv1.2', ...(ca && { ca }) },
    ...(server.login && { auth: { user: server.login.user, pass: server.login.password }, forceAuth: true }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    deliver: ({ id, to, subject, text, writtenAt }, signal) =>
      failureOf(() =>
        transport.sendMail({
          envelope: { from: from.address, to: [to] },
          from: { name: from.name, address: from.address },
          to: { name: '', address: to },
          subject,
          text,
          textEncoding: 'quoted-printable',
          date: writtenAt,
          messageId: `<${id}@${domain}>`,
          // So that no out-of-office reply is sent (RFC 3834).
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal,
        }),
      ),
    check: () => failureOf(() => transport.verify()),
  };
}

/** No later attempt can succeed. */
export const isFinal = ({ reply = 0, command }: SmtpFailure): boolean =>
  (reply >= 500 && reply !== 503) || command === 'API';

/** The failure is about this message, and the mail server works. */
export const isAboutMessage = ({ reply, command = '' }: SmtpFailure): boolean =>
  (reply !== undefined && reply !== 421 && /^(RCPT TO|DATA)$/.test(command)) || command === 'API';

async function failureOf(attempt: () => Promise<unknown>): Promise<SmtpFailure | undefined> {
  try {
    await attempt();
    return undefined;
  } catch (error) {
    const { code, originalCode, command, responseCode, response } = error as Record<string, unknown>;
    const cause = typeof originalCode === 'string' ? originalCode : undefined;
    const status = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(String(response))?.[1];
    return {
      code: typeof code === 'string' ? code : 'UNKNOWN',
      ...(cause !== undefined && { cause }),
      ...(typeof command === 'string' && { command }),
      ...(typeof responseCode === 'number' && { reply: responseCode }),
      ...(status !== undefined && { status }),
    };
  }
}
