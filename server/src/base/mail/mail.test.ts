import { once } from 'node:events';
import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { startMailReceiver } from '../../../test/support/mail-receiver.js';
import {
  CA_PEM,
  CERTIFICATE_PEM,
  KEY_PEM,
  SELF_SIGNED_PEM,
} from '../../../test/support/outbound/certificates.js';
import { startReceiver, stopReceivers } from '../../../test/support/outbound/receivers.js';
import { namedTimers } from '../../../test/support/outbound/timers.js';
import { createLog } from '../telemetry/log.js';
import { type Mail, openMail } from './mail.js';
import type { SmtpServer } from './settings.js';
import type { SmtpOptions } from './smtp.js';

const TO = 'person.of.the.test@example.net';
const TEXT = 'Grüezi Zoë 👋\n\nhttps://id.example.com/join#token-of-the-test\n.\n.. dots\n  spaces  \nEnde';
const MESSAGE = { to: TO, subject: 'Ihr Zugang für Zürich', text: TEXT };
const LOGIN = { user: 'user-of-the-test', password: 'pässword-of-the-test' };
const TLS = { key: KEY_PEM, cert: CERTIFICATE_PEM };
const RETRIES_MS = [30_000, 300_000] as const;
const ATTEMPT_MS = 60_000;
const CHECK_MS = 60_000;

const opened: { mail: Mail; lines: string[]; receivers: { stop(): unknown }[] }[] = [];

/** Every test ends here: nothing secret was logged. */
afterEach(async () => {
  stopReceivers();
  for (const { mail, lines, receivers } of opened.splice(0)) {
    await mail.close(AbortSignal.abort());
    for (const receiver of receivers) await receiver.stop();
    expect(lines.join('')).not.toMatch(/of.the.test|127\.0\.0\.1|localhost|Zugang|Grüezi/i);
  }
});

type Options = Partial<Omit<SmtpServer, 'port'>> & Pick<SmtpOptions, 'ca' | 'timeoutMs'>;

async function mailer(
  receiver: { port: number; stop(): unknown },
  { ca, timeoutMs, ...server }: Options = {},
) {
  const { timers, pending, started, expire } = namedTimers();
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let ids = 0;
  const mail = await openMail({
    settings: {
      server: { host: '127.0.0.1', port: receiver.port, tls: 'none', login: undefined, ...server },
      from: { name: 'Exämple, Inc.', address: 'svc@example.com' },
    },
    clock: { now: () => Date.parse('2026-05-12T09:30:00.000Z') },
    timers,
    ids: () => `message-${++ids}`,
    log: createLog('trace', {
      write(line) {
        lines.push(line);
        for (const look of waiting) look();
      },
    }),
    ...(ca && { ca }),
    ...(timeoutMs && { timeoutMs }),
  });
  opened.push({ mail, lines, receivers: [receiver] });
  /** Resolves with the first line of a message. */
  const logged = (msg: string) =>
    new Promise<Record<string, unknown>>((resolve) => {
      const look = () => {
        const line = lines.map((text) => JSON.parse(text)).find((entry) => entry.msg === msg);
        if (line === undefined) return;
        waiting.delete(look);
        resolve(line);
      };
      waiting.add(look);
      look();
    });
  return { mail, lines, logged, pending, started, expire };
}

const SENT = 'an e-mail was sent';
const DELAYED = 'an e-mail could not be sent yet';
const FAILED = 'an e-mail could not be sent';

const receive = async (options?: SMTPServerOptions, server?: Options) => {
  const receiver = await startMailReceiver(options);
  return { receiver, ...(await mailer(receiver, server)) };
};

/** A mail server that answers a command with an error, that many times. */
function failing(
  command: 'onRcptTo' | 'onMailFrom' | 'onConnect',
  reply: number,
  times = Number.POSITIVE_INFINITY,
) {
  let calls = 0;
  const handler = (...args: unknown[]) => {
    calls += 1;
    const done = args.at(-1) as (error?: Error) => void;
    const error = Object.assign(new Error(`5.1.1 <${TO}> is not here`), { responseCode: reply });
    done(calls > times ? undefined : error);
  };
  return { options: { [command]: handler } as SMTPServerOptions, calls: () => calls };
}

describe('a message', () => {
  it('arrives byte for byte, as plain text [service/sending-mail]', async () => {
    const { receiver, mail, logged, pending } = await receive();
    mail.send(MESSAGE);
    const [message] = await receiver.arrived(1);
    expect(message).toMatchObject({
      from: 'svc@example.com',
      to: [TO],
      subject: MESSAGE.subject,
      isEncrypted: false,
      headers: {
        to: TO,
        date: 'Tue, 12 May 2026 09:30:00 +0000',
        'message-id': '<message-1@example.com>',
        'auto-submitted': 'auto-generated',
        'content-type': 'text/plain; charset=utf-8',
      },
    });
    expect(message?.text).toBe(`${TEXT}\n`);
    expect(message?.headers.from).toMatch(/^"?Exämple, Inc\."? <svc@example\.com>$/);
    expect(Object.keys(message?.headers ?? {})).not.toContain('x-mailer');
    expect(await logged(SENT)).toMatchObject({ level: 'info', mailId: 'message-1', attempt: 1 });
    expect(mail.stats()).toEqual({ isUp: true, held: 0, results: { sent: 1, failed: 0, dropped: 0 } });
    expect(pending.size).toBe(0);
  });

  it('cannot have a header or a recipient of its own [service/sending-mail]', async () => {
    const { receiver, mail } = await receive();
    const attacks = [
      { ...MESSAGE, subject: 'a\r\nBcc: other@example.net' },
      { ...MESSAGE, subject: 'a\nb' },
      { ...MESSAGE, subject: 'a\u2028b' },
      ...['\r\nBcc: other@example.net', ', other@example.net', '>', ' ', '\n'].map((end) => ({
        ...MESSAGE,
        to: TO + end,
      })),
      { ...MESSAGE, to: '"a b"@example.net' },
      { ...MESSAGE, to: `Name <${TO}>` },
      { ...MESSAGE, to: '' },
    ];
    for (const attack of attacks) mail.send(attack);
    mail.send({
      ...MESSAGE,
      subject: 'Bcc: <other@example.net>',
      text: 'a\r\n.\r\nMAIL FROM:<x@example.net>',
    });
    const messages = await receiver.arrived(1);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({ to: [TO], subject: 'Bcc: <other@example.net>' });
    expect(mail.stats().results.failed).toBe(attacks.length);
  });

  it('is sent on at most two connections [service/sending-mail]', async () => {
    let open = 0;
    let most = 0;
    const { receiver, mail } = await receive({
      onConnect: (_, done) => {
        open += 1;
        most = Math.max(most, open);
        done();
      },
      onClose: () => {
        open -= 1;
      },
    });
    for (let index = 0; index < 8; index += 1) mail.send({ ...MESSAGE, subject: `Number ${index}` });
    const messages = await receiver.arrived(8);
    expect(new Set(messages.map(({ subject }) => subject)).size).toBe(8);
    expect(most).toBe(2);
  });
});

describe('the connection to the mail server', () => {
  const onAuth: SMTPServerOptions['onAuth'] = ({ username, password }, _, done) =>
    username === LOGIN.user && password === LOGIN.password
      ? done(null, { user: username })
      : done(Object.assign(new Error(`no ${username} ${password}`), { responseCode: 535 }));

  it.each([
    ['starttls', { ...TLS, disabledCommands: [] }],
    ['immediate', { ...TLS, secure: true }],
  ] as const)('is encrypted (%s), and logs in [service/mail-settings]', async (tls, options) => {
    const { receiver, mail, logged } = await receive(
      { ...options, authOptional: false, disabledCommands: [], onAuth },
      { tls, ca: CA_PEM, login: LOGIN },
    );
    await mail.check();
    await logged('the mail server works');
    mail.send(MESSAGE);
    expect((await receiver.arrived(1))[0]).toMatchObject({ isEncrypted: true, user: LOGIN.user });
  });

  it.each([
    ['starttls', 'offers no STARTTLS', FAILED, {}],
    [
      'starttls',
      'has a certificate that nobody signed',
      DELAYED,
      { ...TLS, cert: SELF_SIGNED_PEM, disabledCommands: [] },
    ],
    [
      'immediate',
      'has a certificate that nobody signed',
      DELAYED,
      { ...TLS, cert: SELF_SIGNED_PEM, secure: true },
    ],
  ] as const)(
    'with %s is not used if the server %s [service/mail-settings]',
    async (tls, _, result, options) => {
      const commands: string[] = [];
      const { receiver, mail, logged } = await receive(
        {
          ...options,
          onAuth: (_auth, _session, done) => done(null, { user: String(commands.push('AUTH')) }),
          onMailFrom(_address, _session, done) {
            commands.push('MAIL');
            done();
          },
        } as SMTPServerOptions,
        { tls, ca: CA_PEM, login: LOGIN },
      );
      mail.send(MESSAGE);
      await logged(result);
      expect(commands).toEqual([]);
      expect(receiver.messages).toEqual([]);
      expect(mail.stats().isUp).toBe(false);
    },
  );

  it('is not used if the log-in fails, and that is final [service/mail-settings]', async () => {
    const { mail, logged } = await receive(
      { authOptional: false, disabledCommands: ['STARTTLS'], allowInsecureAuth: true, onAuth },
      { login: { ...LOGIN, password: 'wrong-password-of-the-test' } },
    );
    mail.send(MESSAGE);
    expect(await logged(FAILED)).toMatchObject({ code: 'EAUTH', reply: 535, attempt: 1 });
    expect(await logged('the mail server cannot be used')).toMatchObject({ level: 'warn', code: 'EAUTH' });
    expect(mail.stats()).toEqual({ isUp: false, held: 0, results: { sent: 0, failed: 1, dropped: 0 } });
  });

  it('is not used without the log-in that is set [service/mail-settings]', async () => {
    const { receiver, mail, logged } = await receive({}, { login: LOGIN });
    mail.send(MESSAGE);
    await logged(FAILED);
    expect(receiver.messages).toEqual([]);
  });

  it('is checked every minute until it works', async () => {
    const { options } = failing('onConnect', 421, 2);
    const { mail, logged, started, expire, pending, lines } = await receive(options);
    await mail.check();
    expect(mail.stats().isUp).toBe(false);
    expire(CHECK_MS);
    await started(CHECK_MS);
    expire(CHECK_MS);
    await logged('the mail server works');
    expect(mail.stats().isUp).toBe(true);
    expect(pending.size).toBe(0);
    expect(lines).toHaveLength(2);
  });
});

describe('a mail server', () => {
  it('that returns 4xx gets the message three times, after 30 seconds and 5 minutes [service/sending-mail]', async () => {
    const { options, calls } = failing('onRcptTo', 450);
    const { mail, logged, started, expire } = await receive(options);
    mail.send(MESSAGE);
    for (const delay of RETRIES_MS) {
      await started(delay);
      expire(delay);
    }
    expect(await logged(FAILED)).toMatchObject({
      level: 'error',
      attempt: 3,
      reply: 450,
      command: 'RCPT TO',
    });
    expect(calls()).toBe(3);
    expect(mail.stats()).toEqual({ isUp: true, held: 0, results: { sent: 0, failed: 1, dropped: 0 } });
  });

  it('that returns 4xx only once gets the same message again [service/sending-mail]', async () => {
    const { options } = failing('onMailFrom', 451, 1);
    const { receiver, mail, started, expire } = await receive(options);
    mail.send(MESSAGE);
    await started(RETRIES_MS[0]);
    expire(RETRIES_MS[0]);
    expect((await receiver.arrived(1))[0]?.headers['message-id']).toBe('<message-1@example.com>');
  });

  it('that returns 5xx gets the message once [service/sending-mail]', async () => {
    const { options, calls } = failing('onRcptTo', 550);
    const { mail, logged, pending } = await receive(options);
    mail.send(MESSAGE);
    expect(await logged(FAILED)).toMatchObject({
      attempt: 1,
      code: 'EENVELOPE',
      reply: 550,
      status: '5.1.1',
    });
    expect(calls()).toBe(1);
    expect(mail.stats()).toMatchObject({ isUp: true, held: 0 });
    expect(pending.size).toBe(0);
  });

  it('that accepts connections and never speaks is given up after the time limit', async () => {
    const receiver = await startReceiver(() => {});
    const { mail, logged } = await mailer(receiver, { timeoutMs: 20 });
    mail.send(MESSAGE);
    expect(await logged(DELAYED)).toMatchObject({ code: 'ETIMEDOUT' });
    expect(mail.stats().isUp).toBe(false);
  });

  it('that sends one byte now and then is given up after a minute', async () => {
    const receiver = await startReceiver(() => {});
    const { mail, logged, started, expire } = await mailer(receiver);
    mail.send(MESSAGE);
    await started(ATTEMPT_MS);
    expire(ATTEMPT_MS);
    expect(await logged(DELAYED)).toMatchObject({ code: 'EABORT' });
  });

  it('that closes the connection, or is not there, gets the message again', async () => {
    const receiver = await startMailReceiver({
      onData: (stream) => void stream.on('data', () => {}).on('end', () => {}),
    });
    const { mail, logged, started, expire } = await mailer(receiver);
    mail.send(MESSAGE);
    await started(ATTEMPT_MS);
    await receiver.stop();
    expect(await logged(DELAYED)).toMatchObject({ code: expect.stringMatching(/^(ECONNECTION|ESOCKET)$/) });
    for (const delay of RETRIES_MS) {
      await started(delay);
      expire(delay);
    }
    expect(await logged(FAILED)).toMatchObject({ attempt: 3, code: 'ESOCKET', cause: 'ECONNREFUSED' });
  });
});

describe('the queue', () => {
  it('holds 1,000 messages, drops more, and logs that once [service/sending-mail]', async () => {
    const receiver = await startReceiver(() => {});
    const { mail, lines } = await mailer(receiver);
    for (let index = 0; index < 1_003; index += 1) mail.send(MESSAGE);
    expect(mail.stats()).toMatchObject({ held: 1_000, results: { dropped: 3 } });
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      'e-mails are dropped, because too many wait for the mail server',
    ]);
  });

  it('is sent at a shutdown, with what waits for its next attempt [service/mail-at-a-shutdown]', async () => {
    const { options } = failing('onRcptTo', 450, 1);
    const { receiver, mail, started } = await receive(options);
    mail.send(MESSAGE);
    await started(RETRIES_MS[0]);
    for (let index = 0; index < 5; index += 1) mail.send({ ...MESSAGE, subject: `Number ${index}` });
    await mail.close(new AbortController().signal);
    expect(receiver.messages).toHaveLength(6);
    expect(mail.stats()).toEqual({ isUp: true, held: 0, results: { sent: 6, failed: 0, dropped: 0 } });
    mail.send(MESSAGE);
    expect(mail.stats().results.dropped).toBe(1);
  });

  it('is dropped when the time of a shutdown is over, and the log says how many [service/mail-at-a-shutdown]', async () => {
    const receiver = await startReceiver(() => {});
    const { mail, logged } = await mailer(receiver);
    for (let index = 0; index < 5; index += 1) mail.send(MESSAGE);
    const time = new AbortController();
    const closed = mail.close(time.signal);
    while (receiver.sockets.length < 2) await new Promise(setImmediate);
    time.abort();
    await closed;
    for (const socket of receiver.sockets) if (!socket.closed) await once(socket.resume(), 'close');
    expect(await logged('e-mails were dropped, because the server shuts down')).toMatchObject({ dropped: 5 });
    expect(mail.stats()).toMatchObject({ held: 0, results: { sent: 0, failed: 0, dropped: 5 } });
  });
});
