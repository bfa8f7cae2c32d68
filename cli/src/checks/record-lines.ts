import type { NotedRecord } from '@svc/zk/records/chain-notes';
import type { ChainHistory, ChainSeal, RecordState } from '@svc/zk/records/judge';

/** What the chain and a file say of one record. */
export interface Found extends ChainHistory {
  readonly seals: (ChainSeal & Pick<NotedRecord, 'actor'>)[];
  isNamed: boolean;
  lacking?: Omit<ChainSeal, 'seal'>;
  /** One for each row of the file. */
  readonly states: RecordState[];
}

const NOTED = 'N';
const STATE = 'R';
const LATER = '\tL';

/** What needs no quotes. JSON would take three times as long for the ids, times and hashes of a million lines. */
const PLAIN = /^[\w .:-]+$/;

const quote = (text: string | undefined): string =>
  text === undefined ? '' : PLAIN.test(text) ? text : JSON.stringify(text);

const unquote = (text = ''): string | undefined =>
  text === '' ? undefined : text.startsWith('"') ? (JSON.parse(text) as string) : text;

/** Without a seal, the entry lacks one. */
export const lineOfEntry = ({ id, seq, seal, at, actor, isLater }: Omit<NotedRecord, 'lacksSeal'>): string =>
  `${quote(id)}\t${NOTED}\t${seq}\t${quote(seal)}\t${quote(at)}\t${quote(actor)}${isLater ? LATER : ''}`;

export const lineOfName = (id: string): string => `${quote(id)}\t${NOTED}`;

export const lineOfState = (id: string, { lacks, seal, person, isEmpty }: RecordState): string =>
  `${quote(id)}\t${STATE}\t${quote(lacks)}\t${quote(seal)}\t${quote(person)}\t${isEmpty}`;

/** What such lines say of each record. They are read one record after another, so that only the lines themselves live long. */
export function* byId(lines: readonly string[]): Generator<readonly [id: string, Found]> {
  const groups = new Map<string, string[]>();
  for (const line of lines) {
    const id = line.slice(0, line.indexOf('\t'));
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [line]);
    else group.push(line);
  }
  for (const [id, group] of groups) yield [unquote(id) ?? '', read(group)];
}

function read(lines: readonly string[]): Found {
  const found: Found = { seals: [], isNamed: false, states: [] };
  for (const line of lines) {
    const [, what, first, seal, third, fourth, later] = line.split('\t');
    if (what === STATE) {
      const lacks = unquote(first) as RecordState['lacks'];
      found.states.push({ lacks, seal: unquote(seal), person: unquote(third), isEmpty: fourth === 'true' });
      continue;
    }
    found.isNamed = true;
    if (seal === undefined) continue;
    const seq = Number(first);
    const at = unquote(third) ?? '';
    if (seal === '') found.lacking ??= { seq, at };
    else {
      const isLater = later !== undefined && { isLater: true as const };
      found.seals.push({ seq, at, seal: unquote(seal) ?? '', actor: unquote(fourth) ?? '', ...isLater });
    }
  }
  // Pages are read after the chain.
  if (found.seals.some(({ isLater }) => isLater)) found.seals.sort((left, right) => left.seq - right.seq);
  return found;
}
