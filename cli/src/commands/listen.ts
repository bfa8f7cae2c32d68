import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Svc } from '@svc/sdk';
import { Option } from 'commander';
import type { Action, Commands, Run } from '../command.js';
import { UsageError } from '../failure.js';
import { type Forwarded, type Forwarder, forward } from '../listen/forward.js';
import { apiKeyOf, clientOptions, withKey } from '../settings.js';
import { plain } from '../terminal.js';

export function listenCommand(commands: Commands): void {
  withKey(commands.command('listen', 'send events to an address on this machine, as a webhook does', listen))
    .requiredOption('--forward <url>', 'where to post the events')
    .option('--types <types>', 'types or patterns such as user.*, separated by commas (default: all)')
    .addOption(
      new Option('--outcome <outcome>', 'only these events')
        .choices(['success', 'failure', 'any'])
        .default('any'),
    )
    .option('--after <seq>', 'begin after this event (default: with the next one)')
    .option('--secret <secret>', 'the secret to sign with, whsec_… (default: a new one)');
}

const listen: Action = async (run, _, options) => {
  const { types, after, outcome } = options as { types?: string; after?: string; outcome: string };
  const url = urlOf(String(options.forward));
  const secret = secretOf(options.secret);
  let tenantId = '';
  const client = new Svc({
    ...clientOptions(run, options),
    apiKey: apiKeyOf(run, options),
    async fetch(input, init) {
      const response = await fetch(input, init);
      tenantId = response.headers.get('x-svc-tenant') ?? tenantId;
      return response;
    },
  });
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  run.show({ forward: url, secret }, `Secret of this session: ${secret}`);
  const note = (text: string) => void run.err.write(`${text}\n`);
  const forwarder: Forwarder = {
    url,
    secret,
    fetch,
    signal: stop.signal,
    now: () => Date.now(),
    async pause(ms, error) {
      note(`Failed: ${plain(error)}. Trying again in ${ms / 1000} s.`);
      await delay(ms, undefined, { signal: stop.signal });
    },
  };
  try {
    let previous: { seq: number; hash: string } | undefined;
    const stream = client.events.stream({
      after,
      types,
      signal: stop.signal,
      onLost: () => note('Connection lost. Reconnecting.'),
      onConnected: () => note(`Connected to ${client.baseUrl}. Ctrl-C ends.`),
    });
    for await (const event of stream) {
      if (outcome !== 'any' && event.status !== outcome) continue;
      const forwarded = await forward(forwarder, event, tenantId, previous);
      previous = { seq: event.seq, hash: event.hash };
      run.show(forwarded, describe(run, forwarded));
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
};

function describe({ style }: Run, { at, type, seq, attempts, status, durationMs, error }: Forwarded): string {
  const time = at.slice(11, 19);
  const result =
    error === null
      ? style('green', `${status}  ${durationMs} ms`)
      : style('red', `${plain(error)} (${attempts} attempts)`);
  return `${time}  ${plain(type).padEnd(28)}  ${String(seq).padStart(6)}  ${result}`;
}

function urlOf(text: string): string {
  try {
    const { protocol, href } = new URL(text);
    if (/^https?:$/.test(protocol)) return href;
  } catch {
    // No URL at all: the same message.
  }
  throw new UsageError('--forward must be an http or https address, such as http://localhost:8080/hooks.');
}

function secretOf(given: unknown): string {
  if (given === undefined) return `whsec_${randomBytes(32).toString('base64')}`;
  if (/^whsec_[A-Za-z0-9+/]+=*$/.test(String(given))) return String(given);
  throw new UsageError('--secret must be whsec_ and base64, as `svc webhooks create` prints it.');
}
