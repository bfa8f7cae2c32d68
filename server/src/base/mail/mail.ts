import type { Clock, PatientTimers } from '../clock.js';
import type { Log } from '../telemetry/log.js';
import { isMailAddress, type MailSettings } from './settings.js';
import {
  isAboutMessage,
  isFinal,
  type Letter,
  openSmtp,
  type Smtp,
  type SmtpFailure,
  type SmtpOptions,
} from './smtp.js';

/** Messages in memory: those that wait, are being sent, or wait for their next attempt. */
const MAX_MESSAGES = 1_000;
const MAX_CONNECTIONS = 2;
/** The delays before the second and the third attempt. Servers that greylist accept after a few minutes. */
const RETRY_DELAYS_MS = [30_000, 300_000];
/** How long an attempt may take in all. */
const MAX_ATTEMPT_MS = 60_000;
/** How often a mail server that cannot be used is checked. */
const CHECK_INTERVAL_MS = 60_000;

/** Plain text to one address. */
export interface MailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface MailStats {
  /** The last connection worked. False before the first. */
  readonly isUp: boolean;
  /** Messages in memory. */
  readonly held: number;
  /** Messages by what became of them. */
  readonly results: Readonly<Record<'sent' | 'failed' | 'dropped', number>>;
}

/** Sends e-mail in the background. Messages are only in memory, so a node that is killed loses them. */
export interface Mail {
  /** Accepts a message, or drops it if too many wait. Returns immediately, never throws, and nothing is reported back. */
  send(message: MailMessage): void;
  /** Connects and logs in, and logs whether that works. Never throws. */
  check(): Promise<void>;
  stats(): MailStats;
  /** Tries once more to send what is in memory, until the signal. Drops the rest, and later messages. */
  close(signal: AbortSignal): Promise<void>;
}

interface MailDeps extends SmtpOptions {
  readonly settings: MailSettings;
  readonly clock: Clock;
  readonly timers: PatientTimers;
  readonly ids: () => string;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}

export const openMail = async (deps: MailDeps): Promise<Mail> =>
  new MailQueue(deps, await openSmtp(deps.settings, deps));

class MailQueue implements Mail {
  readonly #deps: MailDeps;
  readonly #smtp: Smtp;
  /** Messages that wait for a connection, with the number of attempts so far. */
  readonly #waiting: { readonly letter: Letter; readonly attempts: number }[] = [];
  /** Each aborts an attempt. */
  readonly #sending = new Set<AbortController>();
  /** Each ends the wait for a next attempt. */
  readonly #retries = new Set<() => void>();
  readonly #results = { sent: 0, failed: 0, dropped: 0 };
  #held = 0;
  #isClosing = false;
  /** A message was dropped since there was last room. */
  #isFull = false;
  /** Undefined before the first connection. */
  #isUp: boolean | undefined;
  #onEmpty = () => {};
  #cancelCheck = () => {};

  constructor(deps: MailDeps, smtp: Smtp) {
    this.#deps = deps;
    this.#smtp = smtp;
  }

  send({ to, subject, text }: MailMessage): void {
    if (!isMailAddress(to) || /\p{Cc}|[\u2028\u2029]/u.test(subject)) {
      this.#results.failed += 1;
      this.#deps.log.error('an e-mail was not sent: its address or its subject is invalid');
      return;
    }
    if (this.#isClosing || this.#held >= MAX_MESSAGES) {
      this.#drop();
      return;
    }
    this.#held += 1;
    const writtenAt = new Date(this.#deps.clock.now());
    this.#enqueue({ id: this.#deps.ids(), to, subject, text, writtenAt }, 0);
  }

  async check(): Promise<void> {
    this.#noteServer(await this.#smtp.check());
  }

  stats(): MailStats {
    return { isUp: this.#isUp === true, held: this.#held, results: { ...this.#results } };
  }

  async close(signal: AbortSignal): Promise<void> {
    this.#isClosing = true;
    this.#cancelCheck();
    for (const retry of [...this.#retries]) retry();
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
      if (this.#held === 0 || signal.aborted) resolve();
    });
    const dropped = this.#held;
    this.#waiting.length = 0;
    for (const attempt of this.#sending) attempt.abort();
    if (dropped === 0) return;
    this.#results.dropped += dropped;
    this.#held = 0;
    this.#deps.log.warn({ dropped }, 'e-mails were dropped, because the server shuts down');
  }

  #drop(): void {
    this.#results.dropped += 1;
    if (this.#isFull) return;
    this.#isFull = true;
    const why = this.#isClosing ? 'the server shuts down' : 'too many wait for the mail server';
    this.#deps.log.error({ held: this.#held }, `e-mails are dropped, because ${why}`);
  }

  #enqueue(letter: Letter, attempts: number): void {
    this.#waiting.push({ letter, attempts });
    this.#sendNext();
  }

  #sendNext(): void {
    if (this.#sending.size >= MAX_CONNECTIONS) return;
    const next = this.#waiting.shift();
    if (next) void this.#attempt(next.letter, next.attempts + 1);
  }

  async #attempt(letter: Letter, attempt: number): Promise<void> {
    const aborting = new AbortController();
    this.#sending.add(aborting);
    const cancel = this.#deps.timers.patiently(MAX_ATTEMPT_MS, () => aborting.abort());
    const failure = await this.#smtp.deliver(letter, aborting.signal);
    cancel();
    this.#sending.delete(aborting);
    // Dropped by `close`, which has counted it.
    if (this.#held === 0) return;
    this.#noteServer(failure && isAboutMessage(failure) ? undefined : failure);
    this.#settle(letter, attempt, failure);
    this.#sendNext();
  }

  #settle(letter: Letter, attempt: number, failure: SmtpFailure | undefined): void {
    const { log } = this.#deps;
    const about = { mailId: letter.id, attempt, ...failure };
    const delay = RETRY_DELAYS_MS[attempt - 1];
    if (failure && delay !== undefined && !isFinal(failure) && !this.#isClosing) {
      log.warn({ ...about, retryInSeconds: delay / 1_000 }, 'an e-mail could not be sent yet');
      this.#retryAfter(delay, () => this.#enqueue(letter, attempt));
      return;
    }
    if (failure) log.error(about, 'an e-mail could not be sent');
    else log.info(about, 'an e-mail was sent');
    this.#results[failure ? 'failed' : 'sent'] += 1;
    this.#held -= 1;
    this.#isFull = false;
    if (this.#held === 0) this.#onEmpty();
  }

  #retryAfter(delay: number, send: () => void): void {
    const retry = () => {
      cancel();
      this.#retries.delete(retry);
      send();
    };
    const cancel = this.#deps.timers.after(delay, retry);
    this.#retries.add(retry);
  }

  /** Logs that the mail server works or stopped working, and checks it until it works again. */
  #noteServer(failure: SmtpFailure | undefined): void {
    const was = this.#isUp;
    this.#isUp = failure === undefined;
    if (was === this.#isUp) return;
    if (failure) {
      this.#deps.log.warn({ ...failure }, 'the mail server cannot be used');
      this.#checkLater();
    } else {
      this.#deps.log.info('the mail server works');
      this.#cancelCheck();
    }
  }

  #checkLater(): void {
    if (this.#isClosing) return;
    this.#cancelCheck = this.#deps.timers.after(CHECK_INTERVAL_MS, () => {
      this.#checkLater();
      void this.check();
    });
  }
}
