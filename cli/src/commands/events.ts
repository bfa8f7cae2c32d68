import type { Action, Commands } from '../command.js';
import { keyClientOf, withKey } from '../settings.js';
import { plain, table } from '../terminal.js';
import { wholeNumber } from './numbers.js';

export function eventsCommands(commands: Commands): void {
  const events = commands.group('events', 'what happened in the key’s environment (scope events:read)');
  withKey(events.command('list', 'list events after a position, oldest first', listEvents))
    .option('--after <seq>', 'the event after which to begin (default: 0)')
    .option('--types <types>', 'types or patterns such as user.*, separated by commas (default: all)')
    .option('--limit <count>', 'at most this many, up to 100')
    .option('--wait <seconds>', 'wait for an event if there is none, up to 25 s');
}

const listEvents: Action = async (run, _, options) => {
  const { after, types } = options as { after?: string; types?: string };
  const limit = wholeNumber(options, 'limit');
  const wait = wholeNumber(options, 'wait');
  const page = await keyClientOf(run, options).events.list({ after, types, limit, wait });
  const rows = page.events.map(({ seq, timestamp, type, status, entityId }) => [
    String(seq),
    timestamp,
    plain(type),
    status,
    plain(entityId ?? '-'),
  ]);
  const next = `Next: svc events list --after ${page.next}`;
  run.show(page, `${table([['SEQ', 'TIME', 'TYPE', 'STATUS', 'RECORD'], ...rows])}\n${next}`);
};
