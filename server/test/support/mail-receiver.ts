import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A message as it arrived. */
export interface ReceivedMail {
  /** The sender and the recipients of the envelope. */
  readonly from: string;
  readonly to: readonly string[];
  /** Decoded, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly subject: string;
  /** Decoded, with \n as line end, and one at the end. */
  readonly text: string;
  readonly raw: string;
  readonly isEncrypted: boolean;
  readonly user: string | undefined;
}

export interface MailReceiver {
  readonly port: number;
  /** For `startService`: a service with these settings sends its mail here. */
  readonly env: Readonly<Record<'SMTP_URL' | 'MAIL_FROM', string>>;
  readonly messages: readonly ReceivedMail[];
  /** Resolves with all messages when there are that many. Await this before you advance the clock of a service. */
  arrived(count: number): Promise<readonly ReceivedMail[]>;
  stop(): Promise<void>;
}

const bytesOf = (text: string, escaped: RegExp) =>
  Buffer.from(
    text.replace(escaped, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

/** Decodes the encoded words of a header (RFC 2047). */
const decodeWords = (value: string) =>
  value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, encoding: string, text: string) =>
      (/b/i.test(encoding)
        ? Buffer.from(text, 'base64')
        : bytesOf(text.replaceAll('_', ' '), /=([\dA-F]{2})/gi)
      ).toString(),
    );

function readMessage(raw: string): Pick<ReceivedMail, 'headers' | 'subject' | 'text' | 'raw'> {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())];
    }),
  );
  const encoded = raw.slice(end + 4);
  // Mail of this service has no other encodings: the second if all characters are ASCII and all lines short.
  const body =
    headers['content-transfer-encoding'] === 'quoted-printable'
      ? bytesOf(encoded.replace(/=\r\n/g, ''), /=([\dA-F]{2})/g).toString()
      : encoded;
  return { headers, subject: headers.subject ?? '', text: body.replaceAll('\r\n', '\n'), raw };
}

/** Starts a mail server on the loopback address. Without options it accepts every message and no log-in. */
export async function startMailReceiver(options: SMTPServerOptions = {}): Promise<MailReceiver> {
  const messages: ReceivedMail[] = [];
  const waiting = new Set<() => void>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 1,
    onData(stream, { envelope, secure, user }, done) {
      textOf(stream).then((raw) => {
        messages.push({
          ...readMessage(raw),
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          isEncrypted: secure,
          user: typeof user === 'string' ? user : undefined,
        });
        done();
        for (const look of waiting) look();
      }, done);
    },
    ...options,
  });
  // Clients that go away are part of the tests.
  server.on('error', () => {});
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Example <svc@example.com>' },
    messages,
    arrived: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (messages.length < count) return;
          waiting.delete(look);
          resolve(messages);
        };
        waiting.add(look);
        look();
      }),
    stop: () => new Promise((closed) => server.close(() => closed())),
  };
}
